import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPdf } from './read-pdf.mjs';

/** Formats that pandoc reads and writes, by extension. */
export const PANDOC_FORMATS = {
  ...{
    docx: 'docx',
    odt: 'odt',
    epub: 'epub',
    rtf: 'rtf',
    ipynb: 'ipynb',
    html: 'html',
    xml: 'docbook',
    tex: 'latex',
  },
  ...{ rst: 'rst', org: 'org', wiki: 'mediawiki', textile: 'textile', dokuwiki: 'dokuwiki' },
};

const READERS = {
  ...Object.fromEntries(
    Object.entries({ md: 'gfm', ...PANDOC_FORMATS }).map(([format, from]) => [
      format,
      each((file) => readByPandoc(file, from)),
    ]),
  ),
  pdf: each(readPdf),
  man: each(readMan),
  textile: readTextile,
  adoc: each(readAsciiDoc),
  eml: byPython('mail'),
  mbox: byPython('mail'),
  csv: byPython('csv'),
  tsv: byPython('csv'),
  json: byPython('api'),
  yaml: byPython('api'),
  xlsx: readSheets,
  ods: readSheets,
  pptx: (folder, paths, python) =>
    readSlides(
      paths.map((path) => [path, join(folder, path)]),
      python,
    ),
  odp: (folder, paths, python) => {
    const out = convert(folder, paths, 'pptx');
    return readSlides(
      paths.map((path) => [path, join(out, path.replace(/\.\w+$/, '.pptx'))]),
      python,
    );
  },
};

/**
 * Reads files with another program.
 * @returns text, headings and cells of tables by path; null for a format that no other program reads
 */
export function readFiles(format, folder, paths, python) {
  return READERS[format]?.(folder, paths, python) ?? null;
}

function each(read) {
  return (folder, paths) =>
    new Map(
      paths.flatMap((path) => {
        const found = read(join(folder, path));
        return found === null ? [] : [[path, found]];
      }),
    );
}

/** The output of a program, null if it fails. */
function output(program, args, { env = {}, input = '' } = {}) {
  const run = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 120_000,
    env: { ...process.env, ...env },
  });
  return run.status === 0 ? run.stdout : null;
}

const TO_HTML = 'import sys, textile; print(textile.textile(open(sys.argv[1], encoding="utf-8").read()))';

/** Textile as its own implementation reads it: pandoc takes marks such as `bc(json).` and entities for text. */
function readTextile(folder, paths, python) {
  return each((file) => {
    const html = output(python, ['-c', TO_HTML, file]);
    return html === null ? null : readByPandoc('-', 'html', html);
  })(folder, paths);
}

/** @param input  the text of the file `-` */
function readByPandoc(file, from, input = '') {
  const json = output('pandoc', ['-f', from, '-t', 'json', file], { input });
  if (json === null) return null;
  const { meta, blocks } = JSON.parse(json);
  // The metadata of other formats are not text that the document shows.
  const shown = ['docx', 'odt', 'latex', 'docbook', 'rtf', 'org', 'rst'].includes(from)
    ? ['title', 'subtitle', 'author', 'abstract', 'date']
    : ['title'].filter(() => from === 'epub');
  const found = { text: '', headings: [], cells: [] };
  const metadata = shown.map((name) => visible(meta[name] ?? [], { headings: [], cells: [] })).join('\n');
  found.text = `${metadata}\n${visible(blocks, found)}`;
  return { ...found, headings: withParents(found.headings) };
}

/** The words of a part of a pandoc document. Headings and cells are added to `found`. */
function visible(node, found) {
  if (Array.isArray(node)) return node.map((one) => visible(one, found)).join('');
  if (node === null || typeof node !== 'object') return '';
  const { t, c } = node;
  switch (t) {
    case 'Str':
      return c;
    case 'Space':
    case 'SoftBreak':
    case 'LineBreak':
      return ' ';
    case 'Code':
      return c[1];
    case 'CodeBlock':
      return `${c[1]}\n`;
    case 'Math':
      return ` ${formulaWords(c[1])} `;
    case 'RawInline':
    case 'RawBlock':
      return '';
    case 'Link':
    case 'Image':
    case 'Span':
    case 'Quoted':
    case 'Cite':
      return visible(c[1], found);
    case 'Note':
      return `\n${visible(c, found)}\n`;
    case 'Header': {
      const title = visible(c[2], found);
      found.headings.push({ title, level: c[0] });
      return `${title}\n`;
    }
    case 'OrderedList':
    case 'Div':
      return `${visible(c[1], found)}\n`;
    case 'DefinitionList':
      return c
        .map(([term, definitions]) => `${visible(term, found)}\n${visible(definitions, found)}\n`)
        .join('');
    case 'Table':
      return readTable(c, found);
    default:
      return `${visible(c ?? [], found)}${INLINE.has(t) ? '' : '\n'}`;
  }
}

/** Not text of the file: links that stand for included files, tables of contents, numbers of captions. Its admonitions are tables. */
function readAsciiDoc(file) {
  const attributes = ['toc!', 'sectnums!', 'showtitle', 'relfilesuffix=.adoc'];
  const captions = ['table', 'example', 'figure', 'listing'].map((kind) => `${kind}-caption!`);
  const html = output('asciidoctor', [
    ...['-S', 'secure', '-q', '-o', '-'],
    ...[...attributes, ...captions].flatMap((name) => ['-a', name]),
    file,
  ]);
  const text = html
    ?.replace(/<a [^>]*class="bare include"[^>]*>.*?<\/a>|link:[^\n<]*role=include[^\n<]*/g, '')
    .replace(/<div id="footer">[^]*$/, '')
    .replace(
      /<table>\s*<tr>\s*<td class="icon">([^]*?)<\/td>\s*<td class="content">([^]*?)<\/td>\s*<\/tr>\s*<\/table>/g,
      '$1$2',
    );
  return text === undefined ? null : readByPandoc('-', 'html', text);
}

const PLAIN = fileURLToPath(new URL('./read-plain.py', import.meta.url));

function byPython(kind) {
  return (folder, paths, python) => {
    const files = paths.map((path) => [path, join(folder, path)]);
    const read = JSON.parse(output(python, [PLAIN, kind, ...files.map(([, file]) => file)]) ?? '{}');
    return new Map(
      files.flatMap(([path, file]) => {
        const { html, ...found } = read[file] ?? {};
        if (found.text === undefined) return [];
        const page = html === '' ? { text: '', headings: [], cells: [] } : readByPandoc('-', 'html', html);
        return [[path, { ...found, text: `${found.text}\n${page.text}` }]];
      }),
    );
  };
}

const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho _ sigma tau upsilon phi chi psi omega';
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|exp|lim|max|min|sup|inf|det|gcd|dim|ker|deg|arg|hom|mod)$/;

/** The letters of a formula in TeX, as it shows them: commands that are no letters or functions are left out. */
const formulaWords = (tex) =>
  tex
    .replace(/\\(?:begin|end)\{[a-z]+\*?\}(?:\{[clr|]+\})?/g, ' ')
    .replace(/\\(?:var)?([A-Za-z]+)/g, (_, name) => {
      const at = GREEK.split(' ').indexOf(name.toLowerCase());
      if (at >= 0) return String.fromCodePoint((name[0] === name[0].toLowerCase() ? 0x3b1 : 0x391) + at);
      return FUNCTIONS.test(name) ? ` ${name} ` : ' ';
    });

const INLINE = new Set(['Emph', 'Strong', 'Strikeout', 'Superscript', 'Subscript', 'SmallCaps', 'Underline']);

function readTable([, [, caption], , [, head], bodies, [, foot]], found) {
  const rows = [...head, ...bodies.flatMap(([, , heads, body]) => [...heads, ...body]), ...foot];
  const cells = rows.flatMap(([, columns]) => columns.map((cell) => visible(cell[4], found)));
  found.cells.push(...cells);
  return `${visible(caption, found)}\n${cells.join('\n')}\n`;
}

function withParents(headings) {
  const open = [];
  return headings.map(({ title, level }) => {
    while (open.length > 0 && open.at(-1).level >= level) open.pop();
    const parent = open.at(-1)?.title ?? null;
    open.push({ title, level });
    return { title, parent };
  });
}

function readMan(file) {
  const page = output(
    'man',
    ['--no-hyphenation', '--no-justification', '-E', 'utf-8', '-P', 'cat', '-l', file],
    { env: { MANWIDTH: '400', GROFF_NO_SGR: '' } },
  );
  if (page === null) return null;
  const lines = page.split('\n').filter((line) => line.trim() !== '');
  const body = lines.slice(1, -1);
  const headings = body.flatMap((line) => {
    const [, indent, title] = /^( {0,3})(\S.*)$/.exec(line) ?? [];
    return title === undefined ? [] : [{ title, level: indent === '' ? 1 : 2 }];
  });
  return { text: body.join('\n'), headings: withParents(headings), cells: [] };
}

/** Converts files with LibreOffice into a folder beside them. */
function convert(folder, paths, to) {
  const out = `${folder}-${to.split(':')[0]}`;
  mkdirSync(out, { recursive: true });
  const files = paths.map((path) => join(folder, path));
  spawnSync(
    'soffice',
    [
      '--headless',
      `-env:UserInstallation=file://${folder}-office`,
      '--convert-to',
      to,
      '--outdir',
      out,
      ...files,
    ],
    {
      timeout: 600_000,
    },
  );
  return out;
}

/** LibreOffice writes a file of its own for each sheet, with cells as they are shown. */
function readSheets(folder, paths) {
  const out = convert(
    folder,
    paths,
    'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,false,false,false,-1',
  );
  const written = readdirSync(out);
  return new Map(
    paths.flatMap((path) => {
      const name = basename(path).replace(/\.\w+$/, '');
      const sheets = written.filter((one) => one.startsWith(`${name}-`));
      const cells = sheets.flatMap((sheet) => readCells(readFileSync(join(out, sheet), 'utf8')));
      return sheets.length === 0 ? [] : [[path, { text: cells.join('\n'), headings: [], cells }]];
    }),
  );
}

/** The cells of a table with tabs, of which some are quoted. */
const readCells = (text) =>
  [...text.matchAll(/"((?:[^"]|"")*)"|[^\t\n]+/g)].map(
    ([all, quoted]) => quoted?.replaceAll('""', '"') ?? all,
  );

const SLIDES = `
import json, sys
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER as P
out = {}
def walk(shapes, found):
    for shape in shapes:
        if shape.shape_type == 6: walk(shape.shapes, found)
        if shape.is_placeholder and shape.placeholder_format.type in (P.DATE, P.FOOTER, P.SLIDE_NUMBER): continue
        if shape.has_text_frame: found['text'].append(shape.text_frame.text)
        if getattr(shape, 'has_table', False) and shape.has_table:
            for row in shape.table.rows:
                for cell in row.cells:
                    if not cell.is_spanned: found['text'].append(cell.text); found['cells'].append(cell.text)
for path in sys.argv[1:]:
    found = {'text': [], 'headings': [], 'cells': []}
    try:
        for slide in Presentation(path).slides:
            if slide.shapes.title is not None and slide.shapes.title.text.strip():
                found['headings'].append({'title': slide.shapes.title.text, 'level': 1})
            walk(slide.shapes, found)
            if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
                found['text'].append(slide.notes_slide.notes_text_frame.text)
        out[path] = found
    except Exception as error:
        sys.stderr.write(path + ': ' + str(error) + chr(10))
print(json.dumps(out))
`;

function readSlides(files, python) {
  const json = output(python, ['-c', SLIDES, ...files.map(([, file]) => file)]);
  if (json === null) return null;
  const read = JSON.parse(json);
  return new Map(
    files.flatMap(([path, file]) => {
      const one = read[file];
      return one === undefined
        ? []
        : [
            [
              path,
              {
                ...one,
                text: one.text.join('\n').replaceAll('\v', '\n'),
                headings: withParents(one.headings),
              },
            ],
          ];
    }),
  );
}
