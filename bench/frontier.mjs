// Answers against tokens: kb.retrieve_evidence with several budgets, and search_docs with get_doc, as a client uses them.
//   npm run build && node bench/frontier.mjs FOLDER GOLDEN.jsonl [KEYWORDS.jsonl]
// Prints Markdown. A question counts as answered if the text holds a gold quote of each of its groups.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, linesOf, run, textOf } from './measure.mjs';

const { matchesGold } = createRequire(new URL('../dist/x.js', import.meta.url))(
  './cli/eval/sets/match-quote.js',
);

const PITH = [process.execPath, fileURLToPath(new URL('../bin/pith.js', import.meta.url))];
const BUDGETS = [200, 400, 600, 800, 1_200];
/** Hits that a client of search_docs requests, and then reads in full. */
const HITS = 3;
const CHARS_PER_TOKEN = 4;

const [folder, golden, keywordsFile] = process.argv.slice(2);
if (!folder || !golden) {
  console.error('Usage: node bench/frontier.mjs FOLDER GOLDEN.jsonl [KEYWORDS.jsonl]');
  process.exit(2);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** True if the texts answer each group of a question. */
function answers(row, texts) {
  const groups = [...new Set(row.answers.map(({ group = 0 }) => group))];
  const holds = (answer) => texts.some((text) => matchesGold(text, answer.quote));
  return groups.every((wanted) =>
    row.answers.some((answer) => (answer.group ?? 0) === wanted && holds(answer)),
  );
}

async function askEvidence(client, row) {
  const { question, keywords, parts } = row;
  const { result } = await client.call('kb.retrieve_evidence', { question, keywords, parts });
  const quotes = result.structuredContent.quotes.map(({ quote }) => quote);
  return { isAnswered: answers(row, quotes), tokens: textOf(result).length / CHARS_PER_TOKEN };
}

/** All that a client reads: the list of hits, then the section of each hit, best first. */
async function readPages(client, { question, keywords }) {
  const query = [question, ...keywords].join(' ').slice(0, 2_000);
  const { result } = await client.call('search_docs', { query, limit: HITS });
  const { hits } = result.structuredContent;
  const pages = [];
  for (const { chunk_id } of hits) {
    const page = await client.call('get_doc', { chunk_id });
    pages.push(textOf(page.result));
  }
  return { list: textOf(result), snippets: hits.map(({ snippet }) => snippet), pages };
}

/** The answer from the first tokens of what was read. */
function answerWithin(row, { list, snippets, pages }, budget) {
  let left = budget * CHARS_PER_TOKEN - list.length;
  // The snippets count as read even if the list alone is over the budget, in favour of these tools.
  const texts = [...snippets];
  for (const page of pages) {
    if (left <= 0) break;
    texts.push(page.slice(0, left));
    left -= page.length;
  }
  return { isAnswered: answers(row, texts), tokens: budget - Math.max(0, left) / CHARS_PER_TOKEN };
}

const summary = (found) =>
  `${mean(found.map(({ isAnswered }) => Number(isAnswered))).toFixed(3)} @${Math.round(mean(found.map(({ tokens }) => tokens)))}`;

async function withServer(index, env, measure) {
  const client = await connect([...PITH, 'stdio', '--index', index], { MCP_TOOL_NAMES: 'dotted', ...env });
  try {
    return await measure(client);
  } finally {
    await client.close();
  }
}

async function eachRow(rows, measure) {
  const found = [];
  for (const row of rows) found.push(await measure(row));
  return found;
}

async function tableOf(name, index, rows) {
  const evidence = [];
  for (const budget of BUDGETS) {
    const env = { PITH_EVIDENCE_TOKENS: String(budget) };
    const found = await withServer(index, env, (client) => eachRow(rows, (row) => askEvidence(client, row)));
    evidence.push(summary(found));
  }
  const read = await withServer(index, {}, (client) => eachRow(rows, (row) => readPages(client, row)));
  const pages = BUDGETS.map((budget) => summary(rows.map((row, i) => answerWithin(row, read[i], budget))));
  return [
    `| ${name} | ${BUDGETS.join(' | ')} |`,
    `| --- |${BUDGETS.map(() => ' --- |').join('')}`,
    `| \`kb.retrieve_evidence\` | ${evidence.join(' | ')} |`,
    `| \`search_docs\`, \`get_doc\` | ${pages.join(' | ')} |`,
  ].join('\n');
}

const temporary = mkdtempSync(join(tmpdir(), 'pith-frontier-'));
try {
  const index = join(temporary, 'index.sqlite');
  const { code, stderr } = await run([...PITH, 'index', folder, '--index', index]);
  if (code !== 0) throw new Error(`indexing failed:\n${stderr}`);
  const added = new Map(keywordsFile ? linesOf(keywordsFile).map((row) => [row.id, row]) : []);
  const questions = linesOf(golden).filter(({ answerable }) => answerable !== false);
  const rows = (isAided) =>
    questions.map((row) => ({ ...row, keywords: [], parts: [], ...(isAided ? added.get(row.id) : {}) }));
  const name = basename(golden, '.jsonl');
  console.log(await tableOf(`${name}, ANSWERED @tokens`, index, rows(false)));
  if (keywordsFile) console.log(`\n${await tableOf(`${name} with keywords`, index, rows(true))}`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
