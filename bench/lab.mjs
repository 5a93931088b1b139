// npm run build && node bench/lab.mjs FOLDER [--corpus NAME …] [--pith PROGRAM] [--misses]: how well Pith answers 8 × 80 questions
// on documentations of others, which it downloads into the folder with npm and apt-get (Debian 12). With --pith, the program of
// another checkout. Nobody tunes to these sets by hand: weights are fitted to the other sets and judged on each.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CORPORA, prepareCorpus } from './lab/corpora.mjs';
import { foldText, readSet } from './lab/read-set.mjs';
import { connect, runIndex } from './measure.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true, default: Object.keys(CORPORA) },
    pith: { type: 'string', default: join(HERE, '..', 'bin', 'pith.js') },
    misses: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Name a folder for the documentations: node bench/lab.mjs FOLDER');
  process.exit(2);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
const wordsIn = (text) => text.split(' ').length;
const pageOf = (sectionId) => decodeURIComponent(sectionId.split('#')[0]);

/** A quote that holds the gold text, or at least half of its words. */
function matches(quote, gold) {
  const folded = foldText(quote, false);
  return folded.includes(gold) || (gold.includes(folded) && wordsIn(folded) * 2 >= wordsIn(gold));
}

/** True if every group of answers has one for which the test is true. */
function isEvery(answers, test) {
  const groups = [...new Set(answers.map(({ group = 0 }) => group))];
  return groups.every((one) => answers.some((answer) => (answer.group ?? 0) === one && test(answer)));
}

/** How often the value of an answerable question is above that of an unanswerable one. */
function auroc(yes, no) {
  const wins = yes.flatMap((a) => no.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  return mean(wins);
}

const RANKS = { likely: 20, unsure: 10, unlikely: 0 };

async function ask(client, { question, keywords, parts = [], answers }, hasKeywords) {
  const words = hasKeywords ? { keywords, ...(parts.length > 0 ? { parts } : {}) } : {};
  const { result } = await client.call('kb.retrieve_evidence', { question, ...words });
  const { quotes, answerable } = result.structuredContent;
  return {
    isAnswered: isEvery(answers, ({ gold }) => quotes.some(({ quote }) => matches(quote, gold))),
    hasPage: isEvery(answers, ({ path }) => quotes.some(({ section_id }) => pageOf(section_id) === path)),
    isLikely: answerable === 'likely',
    confidence: RANKS[answerable] + Math.max(0, ...quotes.map(({ confidence }) => confidence)),
    tokens: result.content.reduce((sum, { text = '' }) => sum + text.length, 0) / 4,
  };
}

/** Scores the questions of a set, alone or with keywords. */
async function scoreSet(client, questions, hasKeywords) {
  const asked = [];
  for (const question of questions) asked.push({ question, ...(await ask(client, question, hasKeywords)) });
  const isAnswerable = ({ question: { answerable = true } }) => answerable;
  const [yes, no] = [asked.filter(isAnswerable), asked.filter((one) => !isAnswerable(one))];
  if (options.misses)
    for (const { question } of yes.filter(({ isAnswered }) => !isAnswered))
      console.error(`  ${question.id}${hasKeywords ? ' kw' : ''} ${question.question}`);
  const two = yes.filter(({ question: { multihop = false } }) => multihop);
  const likely = (rows) => `${rows.filter(({ isLikely }) => isLikely).length}/${rows.length}`;
  return {
    answered: mean(yes.map(({ isAnswered }) => Number(isAnswered))),
    page: mean(yes.map(({ hasPage }) => Number(hasPage))),
    parts: `${two.filter(({ isAnswered }) => isAnswered).length}/${two.length}`,
    tokens: mean(yes.map(({ tokens }) => tokens)),
    auroc: auroc(
      yes.map(({ confidence }) => confidence),
      no.map(({ confidence }) => confidence),
    ),
    likely: [yes.filter(({ isAnswered }) => isAnswered), yes.filter(({ isAnswered }) => !isAnswered), no].map(
      likely,
    ),
  };
}

/** Mean reciprocal rank of the first right page among the ten best sections of a search. */
async function pageRank(client, questions) {
  const ranks = [];
  for (const { question, answers } of questions.filter(({ answerable = true }) => answerable)) {
    const { result } = await client.call('kb.search', { query: question, top_k: 10 });
    const found = result.structuredContent.results.map(({ section_id }) => pageOf(section_id));
    const at = [...new Set(found)].findIndex((page) => answers.some(({ path }) => path === page));
    ranks.push(at < 0 ? 0 : 1 / (at + 1));
  }
  return mean(ranks);
}

const shown = (value) => (typeof value === 'number' ? value.toFixed(value > 9 ? 0 : 3) : value);

// likely: of the questions that are answered, missed and unanswerable, those with this verdict.
console.log('| | ANSWERED | page | two parts | tokens | AUROC | likely | with keywords: | | | | | | MRR |');
console.log(`|${'---|'.repeat(14)}`);
const rows = [];
for (const name of options.corpus) {
  const documents = prepareCorpus(name, resolve(folder));
  const { questions, changed } = readSet(join(HERE, 'lab', 'sets', `${name}.jsonl`), documents);
  if (changed > 0)
    console.error(`${name}: ${changed} questions are left out, because their pages are other ones`);
  const index = join(resolve(folder), `${name}.sqlite`);
  await runIndex([process.execPath, options.pith, 'index', documents, '--index', index]);
  const client = await connect([process.execPath, options.pith, 'stdio', '--index', index]);
  const scores = [await scoreSet(client, questions, false), await scoreSet(client, questions, true)];
  const rank = await pageRank(client, questions);
  await client.close();
  rows.push([...scores, rank]);
  console.log(`| ${[name, ...scores.flatMap(Object.values), rank].map(shown).join(' | ')} |`);
}
const columns = ['answered', 'page', null, 'tokens', 'auroc', null];
const means = [0, 1].flatMap((at) =>
  columns.map((column) => (column === null ? '' : mean(rows.map((row) => row[at][column])))),
);
console.log(`| ${['mean', ...means, mean(rows.map((row) => row[2]))].map(shown).join(' | ')} |`);
