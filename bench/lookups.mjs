// npm run build && node bench/lookups.mjs FOLDER [--corpus NAME …] [--docs NAME=FOLDER …] [--pith PROGRAM] [--misses]: how well look-ups
// of names find what defines them. A script draws the look-ups (lab/draw-lookups.mjs), so no person chose them. The
// documentations are those of bench/lab.mjs, which it downloads into the folder, and others that --docs names.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { CORPORA, prepareCorpus } from './lab/corpora.mjs';
import { drawLookups } from './lab/draw-lookups.mjs';
import { connect, runIndex } from './measure.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true, default: Object.keys(CORPORA) },
    docs: { type: 'string', multiple: true, default: [] },
    pith: { type: 'string', default: join(HERE, '..', 'bin', 'pith.js') },
    misses: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Name a folder for the documentations: node bench/lookups.mjs FOLDER');
  process.exit(2);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
const pageOf = (sectionId) => decodeURIComponent(sectionId.split('#')[0]);
const bare = (text) =>
  text
    .replace(/[`*_\\¶[\]]|\(.*?\)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds the sections that define the name of each look-up. Look-ups without one are left out. */
function withGold(lookups, index) {
  const database = new DatabaseSync(index, { readOnly: true });
  const rows = database.prepare('SELECT section_id, title, heading_path, text FROM section').all();
  database.close();
  const byPage = Map.groupBy ? Map.groupBy(rows, (row) => pageOf(row.section_id)) : groupBy(rows);
  return lookups.flatMap((lookup) => {
    const written = bare(lookup.written);
    const name = lookup.name.replaceAll('`', '');
    const defines = new RegExp(
      `^[\\s|>*+\\-_\`[\\\\]*(?:[^\\n|]{0,40}[\\s\`*])?${escaped(name)}(?![\\w-])`,
      'm',
    );
    const titles = (row) => JSON.parse(row.heading_path);
    const isGold = {
      version: (row) => titles(row).some((title) => bare(title).includes(written)),
      heading: (row) => bare(row.title).endsWith(written) && bare(row.title).length < written.length + 6,
      term: (row) => defines.test(row.text.replace(/\\/g, '')),
    };
    const own = byPage.get(lookup.path) ?? [];
    const test = (kind) => own.filter(isGold[kind]).map((row) => row.section_id);
    const found = lookup.kind === 'owned' ? [...test('heading'), ...test('term')] : test(lookup.kind);
    return found.length === 0 ? [] : [{ ...lookup, sections: new Set(found) }];
  });
}

function groupBy(rows) {
  const groups = new Map();
  for (const row of rows) {
    const page = pageOf(row.section_id);
    groups.set(page, [...(groups.get(page) ?? []), row]);
  }
  return groups;
}

/** The reciprocal of the first place that passes a test, 0 without one. */
function reciprocal(items, test) {
  const at = items.findIndex(test);
  return at < 0 ? 0 : 1 / (at + 1);
}

async function ask(client, { question, path, sections, kind, name }) {
  const call = async (tool, args) => (await client.call(tool, args)).result.structuredContent;
  const { results } = await call('kb.search', { query: question, top_k: 10, page_size: 10 });
  const { hits } = await call('search_docs', { query: question, limit: 10 });
  const { quotes } = await call('kb.retrieve_evidence', { question });
  const pages = [...new Set(results.map(({ section_id: id }) => pageOf(id)))];
  const page = reciprocal(pages, (one) => one === path);
  const needle = bare(name);
  return {
    page,
    first: Number(page === 1),
    section: reciprocal(results, ({ section_id: id }) => sections.has(id)),
    docs: reciprocal([...new Set(hits.map(({ filepath }) => filepath))], (one) => one === path),
    quoted: Number(
      quotes.some(
        ({ section_id: id, quote }) => sections.has(id) && (kind !== 'term' || bare(quote).includes(needle)),
      ),
    ),
  };
}

const COLUMNS = ['page', 'first', 'section', 'docs', 'quoted'];
const shown = (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : value);
const line = (cells) => `| ${cells.map(shown).join(' | ')} |`;
const meansOf = (rows) => COLUMNS.map((column) => mean(rows.map((row) => row[column])));

console.log('| | look-ups | page MRR | hit@1 | section MRR | search_docs MRR | quoted |');
console.log('|---|---|---|---|---|---|---|');
const documents = [
  ...options.corpus.filter(Boolean).map((name) => [name, prepareCorpus(name, resolve(folder))]),
  ...options.docs.map((given) => given.split('=')),
];
const all = [];
const byCorpus = [];
for (const [name, from] of documents) {
  const index = join(resolve(folder), `${name}.sqlite`);
  await runIndex([process.execPath, options.pith, 'index', from, '--index', index]);
  const client = await connect([process.execPath, options.pith, 'stdio', '--index', index]);
  const rows = [];
  for (const lookup of withGold(drawLookups(from), index))
    rows.push({ ...lookup, ...(await ask(client, lookup)) });
  await client.close();
  if (options.misses)
    for (const row of rows.filter(({ section, page, quoted }) => section < 1 || page < 1 || quoted < 1))
      console.error(
        `  ${name} ${row.kind} ${meansOf([row]).map(shown).join(' ')} ${row.question} | ${row.written} | ${row.path}`,
      );
  console.log(line([name, rows.length, ...meansOf(rows)]));
  byCorpus.push(meansOf(rows));
  all.push(...rows);
}
for (const kind of new Set(all.map((row) => row.kind))) {
  const rows = all.filter((row) => row.kind === kind);
  console.log(line([kind, rows.length, ...meansOf(rows)]));
}
console.log(line(['mean', all.length, ...COLUMNS.map((_, at) => mean(byCorpus.map((row) => row[at])))]));
