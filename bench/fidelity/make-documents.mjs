import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PANDOC_FORMATS } from './read-files.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Pages with tables, code, lists and notes. */
const PAGES = ['ARCHITECTURE', 'api-contracts', 'faq', 'http', 'indexing', 'quality', 'recipes', 'tools'];

/** Writers of pandoc by extension. */
const WRITERS = { ...PANDOC_FORMATS, pptx: 'pptx', 1: 'man' };

/** Formats that LibreOffice writes, with the extension of the files that it writes them from. */
const CONVERTED = [
  ['docx', 'pdf', []],
  ['pptx', 'odp', []],
  ['html', 'xlsx', ['--infilter=HTML (StarCalc)']],
  ['xlsx', 'ods', []],
];

/** Writes pages of this documentation in other formats into a folder. */
export function makeDocuments(folder) {
  mkdirSync(folder, { recursive: true });
  const sources = [
    ...PAGES.map((name) => join(ROOT, 'docs', `${name}.md`)),
    join(ROOT, 'fixtures/formats/handbook.md'),
  ];
  for (const source of sources) {
    const name = basename(source, '.md');
    for (const [extension, writer] of Object.entries(WRITERS)) {
      spawnSync('pandoc', [
        '-s',
        '-f',
        'gfm',
        '-t',
        writer,
        // Pandoc reads a `$` in the code that it colours itself as the start of a formula.
        ...(writer === 'latex' ? ['--no-highlight'] : []),
        '-o',
        join(folder, `${name}.${extension}`),
        source,
      ]);
    }
  }
  for (const [from, to, options] of CONVERTED) {
    const files = readdirSync(folder)
      .filter((file) => file.endsWith(`.${from}`))
      .map((file) => join(folder, file));
    spawnSync('soffice', ['--headless', ...options, '--convert-to', to, '--outdir', folder, ...files], {
      timeout: 600_000,
    });
  }
}
