// npm run build && node bench/fidelity.mjs FOLDER [--make] [--format EXTENSION …] [--sample N] [--python PROGRAM] [--words N]:
// how many words of documents an index loses. It indexes the documents of the folder, reads the same files with another
// program (fidelity/read-files.mjs: pandoc, pdftotext, LibreOffice, man, python-pptx, textile, asciidoctor, and Python for
// mail, CSV and descriptions of APIs), and compares, for each format:
//   lost      occurrences of words that the other program reads and no section or heading has
//   doubled   occurrences that the sections have and the other program does not read
//   divided   occurrences that are the same letters with other gaps, such as a hyphenated word that was joined
//   headings  those of the other program that the index does not have / that stand under another heading
//   cells     table cells of the other program that are no cell of a table in a section
// Words are runs of letters and digits in lower case, after NFKC. The order of words is not compared. Not comparable and left
// out: numbers of lists, addresses of links, headers and footers of man, dates and numbers of slides. Headers and footers of PDF
// are counted once (fidelity/read-pdf.mjs says how), and each time in a second row.
//   --make     writes the pages of docs/ into FOLDER/made first, in every format that pandoc and LibreOffice can write
//   --sample   compares at most so many documents of a format, chosen evenly
//   --python   a Python with python-pptx and textile; without them, slides and Textile are left out
//   --words    prints so many of the lost and doubled words of each format, and the documents with the most
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareDocument } from './fidelity/compare-document.mjs';
import { makeDocuments } from './fidelity/make-documents.mjs';
import { readFiles } from './fidelity/read-files.mjs';
import { readIndexed } from './fidelity/read-indexed.mjs';

const { values: options, positionals } = parseArgs({
  options: {
    make: { type: 'boolean', default: false },
    format: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', default: '40' },
    python: { type: 'string', default: 'python3' },
    words: { type: 'string', default: '0' },
    pith: { type: 'string', default: fileURLToPath(new URL('../bin/pith.js', import.meta.url)) },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Name a folder of documents: node bench/fidelity.mjs FOLDER');
  process.exit(2);
}
const shown = Number(options.words);

/** The extension by which a format is counted. */
function formatName(path) {
  const extension = extname(path).slice(1).toLowerCase();
  return /^[1-9][a-z]*$/.test(extension)
    ? 'man'
    : ({ htm: 'html', mediawiki: 'wiki', asciidoc: 'adoc', yml: 'yaml' }[extension] ?? extension);
}

/** Every nth of a list, so that at most `count` are left. */
const sample = (list, count) =>
  list.filter(
    (_, at) => Math.floor((at * count) / list.length) !== Math.floor(((at - 1) * count) / list.length),
  );

function chooseFiles() {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  const byFormat = new Map();
  for (const file of files) {
    const format = formatName(file);
    if (options.format.length > 0 && !options.format.includes(format)) continue;
    byFormat.set(format, [...(byFormat.get(format) ?? []), file]);
  }
  return [...byFormat].map(([format, list]) => [format, sample(list, Number(options.sample))]);
}

/** The most frequent of many words, with their counts. */
function frequent(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([word, count]) => (count > 1 ? `${word} ×${count}` : word))
    .join(', ');
}

const share = (part, whole) => `${((100 * part) / (whole || 1)).toFixed(3)} %`;
const sum = (results, value) => results.reduce((total, result) => total + value(result), 0);

function report(format, results, unread) {
  const words = sum(results, (one) => one.words);
  const columns = [
    format,
    unread === 0 ? results.length : `${results.length} (${unread} not read)`,
    words,
    `${sum(results, (one) => one.lost.length)} = ${share(
      sum(results, (one) => one.lost.length),
      words,
    )}`,
    share(
      sum(results, (one) => one.doubled.length),
      words,
    ),
    share(
      sum(results, (one) => one.divided),
      words,
    ),
    `${sum(results, (one) => one.headings.missing.length)} / ${sum(results, (one) => one.headings.moved.length)} of ${sum(results, (one) => one.headings.count)}`,
    `${sum(results, (one) => one.cells.missing.length)} of ${sum(results, (one) => one.cells.count)}`,
  ];
  console.log(`| ${columns.join(' | ')} |`);
  if (shown === 0) return;
  const top = (key) =>
    [...results]
      .sort((a, b) => b[key].length - a[key].length)
      .slice(0, 6)
      .filter((one) => one[key].length > 0)
      .map((one) => `${one.path} ${one[key].length} of ${one.words}`)
      .join('; ');
  for (const key of ['lost', 'doubled']) {
    console.log(`    ${key}: ${frequent(results.flatMap((one) => one[key]))}\n      ${top(key)}`);
  }
  for (const [key, kind] of [
    ['headings', 'missing'],
    ['headings', 'moved'],
    ['cells', 'missing'],
  ]) {
    const found = results.flatMap((one) => one[key][kind].map((text) => `${one.path}: ${text.slice(0, 60)}`));
    if (found.length > 0) console.log(`    ${key} ${kind}: ${found.slice(0, shown / 2).join('; ')}`);
  }
}

if (options.make) makeDocuments(join(folder, 'made'));
console.log(
  '| Format | Documents | Words | Lost | Doubled | Divided | Headings missing / moved | Cells missing |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [format, files] of chooseFiles()) {
  const copies = mkdtempSync(join(tmpdir(), 'fidelity-'));
  mkdirSync(join(copies, 'docs'));
  // Flat names, so that no rule about folders or ignored files applies.
  const paths = files.map((file, at) => {
    const name = `${String(at).padStart(3, '0')}-${basename(file).replace(/[^\w.-]/g, '_')}`;
    copyFileSync(file, join(copies, 'docs', name));
    return name;
  });
  const read = readFiles(format, join(copies, 'docs'), paths, options.python);
  if (read !== null) {
    const index = join(copies, 'index.sqlite');
    const run = spawnSync(process.execPath, [options.pith, 'index', join(copies, 'docs'), '--index', index], {
      encoding: 'utf8',
    });
    if (run.status !== 0 && run.status !== 3) console.error(`${format}: ${run.stderr}`);
    const indexed = run.status === 0 || run.status === 3 ? readIndexed(index) : new Map();
    const both = paths.filter((path) => read.has(path) && indexed.has(path));
    const results = both.map((path) => ({ path, ...compareDocument(read.get(path), indexed.get(path)) }));
    report(format, results, [...read.keys()].length - both.length);
    const repeating = both.filter((path) => read.get(path).repeats !== undefined);
    if (repeating.length > 0) {
      const withRepeats = repeating.map((path) => {
        const { text, repeats, ...rest } = read.get(path);
        return { path, ...compareDocument({ ...rest, text: `${text}\n${repeats}` }, indexed.get(path)) };
      });
      report(`${format}, each running line`, withRepeats, 0);
    }
    if (shown > 0) {
      const missed = [...read.keys()].filter((path) => !indexed.has(path));
      if (missed.length > 0) console.log(`    not indexed: ${missed.join(', ')}`);
    }
  }
  rmSync(copies, { recursive: true, force: true });
}
