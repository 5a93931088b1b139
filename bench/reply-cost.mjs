// What structuredContent adds to the text of replies, for hosts that pass on both: real replies to the questions of a golden set.
//   npm run build && node bench/reply-cost.mjs FOLDER GOLDEN.jsonl [KEYWORDS.jsonl]
// Prints Markdown. `added` is structuredContent in percent of the text, both in tokens of o200k; `twice` is the share of the
// structured characters that are strings which the text has too.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { connect, linesOf, run, textOf } from './measure.mjs';

const PITH = [process.execPath, fileURLToPath(new URL('../bin/pith.js', import.meta.url))];

const [folder, golden, keywordsFile] = process.argv.slice(2);
if (!folder || !golden) {
  console.error('Usage: node bench/reply-cost.mjs FOLDER GOLDEN.jsonl [KEYWORDS.jsonl]');
  process.exit(2);
}

/** All strings in a value, and the names of their fields. */
function stringsIn(value, field = '') {
  if (typeof value === 'string') return [[field, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    stringsIn(each, Array.isArray(value) ? field : name),
  );
}

const sums = new Map();

function add(tool, { content, structuredContent, isError }) {
  if (isError) return;
  const text = textOf({ content });
  const json = JSON.stringify(structuredContent ?? null);
  const sum = sums.get(tool) ?? { calls: 0, text: 0, structured: 0, chars: 0, twice: 0, fields: new Map() };
  sum.calls++;
  sum.text += countTokens(text);
  sum.structured += structuredContent ? countTokens(json) : 0;
  sum.chars += json.length;
  for (const [field, each] of stringsIn(structuredContent)) {
    if (text.includes(each)) sum.twice += each.length;
    sum.fields.set(field, (sum.fields.get(field) ?? 0) + JSON.stringify(each).length + field.length + 4);
  }
  sums.set(tool, sum);
}

const keywords = new Map(keywordsFile ? linesOf(keywordsFile).map(({ id, ...sent }) => [id, sent]) : []);
const home = mkdtempSync(join(tmpdir(), 'pith-cost-'));
const index = join(home, 'index.sqlite');
await run([...PITH, 'index', folder, '--index', index]);
const client = await connect([...PITH, 'stdio', '--index', index]);
for (const { id, question } of linesOf(golden)) {
  const { keywords: words = [], parts = [] } = keywords.get(id) ?? {};
  const call = async (tool, args) => {
    const { result } = await client.call(tool, args);
    add(tool, result);
    return result.structuredContent;
  };
  await call('kb.retrieve_evidence', { question, keywords: words, parts });
  const { results } = await call('kb.search', { query: question, keywords: words });
  await call('search_docs', { query: question.slice(0, 2_000) });
  const ids = results.slice(0, 2).map(({ section_id }) => section_id);
  if (ids.length === 0) continue;
  await call('kb.read_excerpt', { passage_id: results[0].passage_id });
  await call('graph.describe', { node_ids: ids });
  await call('graph.expand', { node_ids: ids });
  await call('graph.entities_for_sections', { section_ids: ids });
}
await client.close?.();
rmSync(home, { recursive: true, force: true });

console.log(
  '| tool | replies | text | structured | added | twice | most characters in |\n| --- | --- | --- | --- | --- | --- | --- |',
);
for (const [tool, { calls, text, structured, chars, twice, fields }] of sums) {
  const most = [...fields].sort((a, b) => b[1] - a[1]).slice(0, 6);
  const percent = (part, whole) => `${Math.round((part / whole) * 100)} %`;
  const named = most.map(([field, size]) => `${field} ${percent(size, chars)}`).join(', ');
  console.log(
    `| \`${tool}\` | ${calls} | ${Math.round(text / calls)} | ${Math.round(structured / calls)} | ${percent(structured, text)} | ${percent(twice, chars)} | ${named} |`,
  );
}
