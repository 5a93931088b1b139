// Plays a golden set as conversations of scripted agents, and measures `pith gaps`: which questions that were not answered are
// in gaps, how many entries of open gaps were really not answered, and which gaps close after pages were added.
//
//   npm run build && node bench/gaps.mjs --corpus FOLDER --set SET.jsonl --keywords KEYWORDS.jsonl [--seed 7] [--keep FOLDER]
//
// The pages of some questions are withheld before the index is built. A question was not answered if no reply of its
// conversation, nor what the agent read on, contains its gold quotes. Agents do not know that: they notice it in most cases.
// With --keep, nothing is played if the folder has a play; only the gaps are made and measured.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, randomFrom, run, runIndex } from './measure.mjs';

const PITH = [process.execPath, join(import.meta.dirname, '..', 'bin', 'pith.js')];
const CONVERSATIONS = 60;
const QUESTIONS = 300;
/** Share of answerable questions whose pages are withheld. */
const WITHHELD = 0.3;
/** How agents behave: probabilities. */
const AGENT = {
  /** That an answer is taken for one, and that quotes without the answer are. */
  believes: { found: 0.9, missed: 0.3 },
  readsOn: { believing: 0.3, doubting: 0.5 },
  asksAgain: 0.6,
  saysSo: 1 / 3,
};

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    set: { type: 'string' },
    keywords: { type: 'string' },
    seed: { type: 'string', default: '7' },
    keep: { type: 'string' },
  },
});

const readLines = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const fold = (text) =>
  text
    .toLowerCase()
    .replace(/[`*_>#|\\]/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

function matches(quote, gold) {
  const [got, wanted] = [fold(quote), fold(gold)];
  const words = (text) => text.split(' ').length;
  return got !== '' && (got.includes(wanted) || (wanted.includes(got) && words(got) >= words(wanted) / 2));
}

const groupsIn = (answers) => [...new Set(answers.map(({ group = 0 }) => group))];
/** True if texts contain an answer of each group. */
const isAnswered = ({ answers = [] }, texts) =>
  answers.length > 0 &&
  groupsIn(answers).every((group) =>
    answers.some((each) => (each.group ?? 0) === group && texts.some((text) => matches(text, each.quote))),
  );

function shuffled(items, random) {
  const left = [...items];
  for (let i = left.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [left[i], left[j]] = [left[j], left[i]];
  }
  return left;
}

/** Chooses questions whose pages are withheld, and which of them come back. Pages of both sorts stay withheld. */
function withhold(set, random) {
  const drawn = shuffled(
    set.filter(({ answerable }) => answerable),
    random,
  );
  const chosen = drawn.slice(0, Math.round(drawn.length * WITHHELD));
  const half = Math.floor(chosen.length / 2);
  const pages = (questions) => new Set(questions.flatMap(({ answers }) => answers.map(({ path }) => path)));
  const [back, away] = [pages(chosen.slice(0, half)), pages(chosen.slice(half))];
  return { pages: pages(chosen), back: new Set([...back].filter((page) => !away.has(page))) };
}

async function index(docs, file) {
  await runIndex([...PITH, 'index', docs, '--index', file]);
}

/** How one occurrence of a question is asked: as written, with keywords, or in other words. */
function wordings({ question, keywords = [] }, occurrence) {
  const words = keywords.slice(0, 3).join(', ');
  if (occurrence === 0 || words === '') return { first: { question }, again: { question, keywords } };
  if (occurrence === 1)
    return { first: { question, keywords }, again: { question: `How about ${words}? ${question}` } };
  return { first: { question: `What do the documents say about ${words}?` }, again: { question, keywords } };
}

async function playNeed(client, asked, { run: conversation, occurrence, random }) {
  const texts = [];
  const ids = [];
  const { first, again } = wordings(asked, occurrence);
  const ask = async (args) => {
    const { result } = await client.call('kb.retrieve_evidence', args, conversation);
    const { quotes, diagnostic_id } = result.structuredContent;
    texts.push(...quotes.map(({ quote }) => quote));
    ids.push(diagnostic_id);
    return quotes;
  };
  const judge = () => random() < AGENT.believes[isAnswered(asked, texts) ? 'found' : 'missed'];
  const readOn = async (quotes, believes) => {
    if (random() >= AGENT.readsOn[believes ? 'believing' : 'doubting'] || !quotes[0]) return;
    const args = { passage_id: quotes[0].passage_id, max_tokens: 600 };
    const { result } = await client.call('kb.read_excerpt', args, conversation);
    texts.push(result.structuredContent?.excerpt ?? '');
  };
  const turn = async (args) => {
    const quotes = await ask(args);
    const believes = judge();
    await readOn(quotes, believes);
    return believes || (isAnswered(asked, texts) && random() < AGENT.believes.found);
  };
  let believes = await turn(first);
  if (!believes && random() < AGENT.asksAgain) believes = await turn(again);
  if (random() < AGENT.saysSo) {
    const answered = believes ? 'yes' : random() < 0.8 ? 'no' : 'partly';
    await client.call('kb.feedback', { question_id: ids.at(-1), answered }, conversation);
  }
  return { id: asked.id, ids, isAnswered: isAnswered(asked, texts) };
}

async function play(folder) {
  const random = randomFrom(Number(values.seed));
  const keywords = new Map(readLines(values.keywords).map((line) => [line.id, line.keywords]));
  const set = readLines(values.set).map((line) => ({ ...line, keywords: keywords.get(line.id) }));
  const { pages, back } = withhold(set, random);
  const docs = join(folder, 'docs');
  cpSync(values.corpus, docs, { recursive: true });
  for (const page of pages) rmSync(join(docs, page));
  const file = join(folder, 'index.sqlite');
  await index(docs, file);
  const client = await connect([...PITH, 'stdio', '--index', file], {
    PITH_QUESTIONS: 'on',
    MCP_TOOL_NAMES: 'dotted',
    PITH_RATE_PER_MINUTE: '0',
  });
  const rounds = Array.from({ length: Math.ceil(QUESTIONS / set.length) }, (_, occurrence) =>
    shuffled(set, random).map((asked) => ({ asked, occurrence })),
  );
  const drawn = rounds.flat().slice(0, QUESTIONS);
  const needs = [];
  for (const [at, { asked, occurrence }] of drawn.entries()) {
    const conversation = `conversation-${at % CONVERSATIONS}`;
    needs.push({
      conversation,
      ...(await playNeed(client, asked, { run: conversation, occurrence, random })),
    });
  }
  await client.close();
  writeFileSync(join(folder, 'play.json'), JSON.stringify({ needs, pages: [...pages], back: [...back] }));
}

async function listGaps(file) {
  const { stdout, stderr, code } = await run([...PITH, 'gaps', '--json', '--index', file], {
    PITH_QUESTIONS: 'on',
  });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const share = (part, whole) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;

async function measure(folder) {
  const { needs, pages, back } = JSON.parse(readFileSync(join(folder, 'play.json'), 'utf8'));
  const set = new Map(readLines(values.set).map((line) => [line.id, line]));
  const needBy = new Map(needs.flatMap((need) => need.ids.map((id) => [id, need])));
  const file = join(folder, 'index.sqlite');
  const before = await listGaps(file);
  const entries = before.flatMap(({ question_ids }) => question_ids.map((id) => needBy.get(id)));
  const missed = needs.filter((need) => !need.isAnswered);
  const inGaps = new Set(entries);
  console.log(`questions: ${needs.length}, not answered: ${missed.length}`);
  console.log(
    `not answered and in a gap: ${share(missed.filter((need) => inGaps.has(need)).length, missed.length)}`,
  );
  console.log(
    `entries of open gaps not answered: ${share(entries.filter((need) => !need.isAnswered).length, entries.length)}`,
  );
  const pure = before.map(({ question_ids }) => new Set(question_ids.map((id) => needBy.get(id).id)));
  console.log(
    `gaps: ${before.length}; of one question of the set: ${share(pure.filter(({ size }) => size === 1).length, pure.length)}`,
  );
  const returned = join(folder, 'docs');
  for (const page of back) cpSync(join(values.corpus, page), join(returned, page));
  await index(returned, file);
  const away = new Set(pages.filter((page) => !back.includes(page)));
  /** A question whose answer was withheld, and is in the documents now. Answers of one group say the same. */
  const isWritten = (id) => {
    const { answers = [] } = set.get(id);
    const parts = groupsIn(answers).map((group) => answers.filter((each) => (each.group ?? 0) === group));
    const isThere = (part) => part.some(({ path }) => !away.has(path));
    const wasAway = (part) => part.every(({ path }) => pages.includes(path));
    return parts.length > 0 && parts.every(isThere) && parts.some(wasAway);
  };
  const after = new Map((await listGaps(file)).map((gap) => [gap.gap_id, gap]));
  const rows = before.map(({ gap_id, question_ids }) => {
    const ids = [...new Set(question_ids.map((id) => needBy.get(id).id))];
    return {
      state: after.get(gap_id)?.state,
      ids,
      should: ids.every(isWritten),
      answer: after.get(gap_id)?.answer,
    };
  });
  const should = rows.filter((row) => row.should);
  const closed = rows.filter(({ state }) => state === 'answered');
  console.log(
    `written and closed: ${share(should.filter(({ state }) => state === 'answered').length, should.length)}`,
  );
  console.log(`closed and written: ${share(closed.filter((row) => row.should).length, closed.length)}`);
  for (const row of rows.filter(({ state, should: wanted }) => wanted !== (state === 'answered')))
    console.log(
      `  ${row.should ? 'not closed' : 'closed'}: ${row.ids.join(', ')} (${row.state}) ${row.answer?.section_id ?? ''}`,
    );
}

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'pith-gaps-'));
try {
  if (!existsSync(join(folder, 'play.json'))) await play(folder);
  await measure(folder);
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true });
}
