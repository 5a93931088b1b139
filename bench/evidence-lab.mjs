// The effect of each ingredient of evidence, and how the weights were chosen: the tables of docs/quality.md.
//   npm run build && node bench/evidence-lab.mjs --data FOLDER/ [--fit 200] [--golden NAME:GOLDEN.jsonl:KEYWORDS.jsonl:INDEX …]
// Uses the modules of the product (dist/) and the corpora in a folder; --golden adds other sets.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { loadTypeScript } from './load-typescript.mjs';

const load = createRequire(new URL('../dist/x.js', import.meta.url));
const { makePort } = load('./sqlite/reader-ports.js');
const { SqliteReader } = load('./sqlite/reader-ports.js');
const { SqliteIndexWriter } = load('./sqlite/writing/sqlite-index-writer.js');
const { embedderNamed } = load('./sqlite/latent/embedder-named.js');
const { planQuery } = load('./kb/search/plan-query.js');
const { rankParts } = load('./kb/search/rank-parts.js');
const { readRanking, readTexts, chooseEvidence } = load('./kb/evidence/choose-evidence.js');
const { chooseByCoverage } = load('./kb/evidence/choose-by-coverage.js');
const { COVERAGE_WEIGHTS } = load('./kb/evidence/score-units.js');
const { matchesGold } = load('./cli/eval/sets/match-quote.js');
const { newTrace } = load('./core/call.js');
const { poolLimits } = load('./kb/evidence/choose-evidence.js');
const { NOTHING_DECLARED } = load('./core/corpus-declaration.js');
const { asCandidate, asIndexed } = await loadTypeScript('plain-document');

const folder = mkdtempSync(join(tmpdir(), 'pith-lab-'));
const args = process.argv.slice(2);
const optionsOf = (name) => args.flatMap((arg, i) => (arg === name ? [args[i + 1]] : []));
const [DATA = './'] = optionsOf('--data');

const lines = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32;
}

const EVERYTHING = { docTags: null, pathPrefix: null, updatedAfter: null };
const DEFAULTS = { maxQuotes: 6, maxQuoteTokens: 80, contextTokens: 20 };

/** The parts of a call that ranking needs. */
async function aCall(index) {
  const { projectId, environment } = await index.stamp();
  const scope = { projectId, environment, docTags: null, repositories: null };
  return { scope, trace: newTrace(), signal: { throwIfAborted() {} }, now: () => 0, elapsed: () => 0 };
}

async function rank(
  index,
  plan,
  { sections = 8, perDocument = 3, filter = EVERYTHING, rankedBy = 'both' } = {},
) {
  const ranked = { index: { search: (query) => index.search({ ...query, rankedBy }) }, graph: null };
  const limits = { sections, perDocument };
  return rankParts(await aCall(index), ranked, { ...plan, filter, limits, mode: 'auto' });
}

/** Reads questions and searches for each. @param search  options of the search */
async function goldenSet(golden, keywords, file, search = {}) {
  const index = makePort('sections', new SqliteReader(file, embedderNamed('lsa')));
  const added = new Map(keywords ? lines(keywords).map((row) => [row.id, row]) : []);
  const questions = [];
  for (const row of lines(golden).filter(({ answerable }) => answerable !== false)) {
    const { keywords: words = [], parts = [] } = added.get(row.id) ?? {};
    const plan = planQuery({ text: row.question, keywords: words, parts, rewrite: true });
    const found = (await rank(index, plan, search)).map((ranking) => readRanking(ranking));
    const groups = [...new Set(row.answers.map(({ group }) => group ?? 0))];
    const score = (quotes) =>
      Number(
        groups.every((group) =>
          row.answers.some(
            (answer) =>
              (answer.group ?? 0) === group && quotes.some(({ quote }) => matchesGold(quote, answer.quote)),
          ),
        ),
      );
    questions.push({ parts: found, options: DEFAULTS, score });
  }
  await index.close();
  return questions;
}

/** Indexes the texts of a set, one section each, so that word frequencies are realistic. */
async function evidenceSet(name, rows, maxQuotes) {
  const file = join(folder, `${name}.sqlite`);
  const documents = new Map();
  for (const { texts } of rows) {
    for (const { title, text } of texts) {
      const key = `${title}\n${text}`;
      if (!documents.has(key)) documents.set(key, asCandidate({ title, text }, documents.size).section);
    }
  }
  const writer = new SqliteIndexWriter(file, embedderNamed('lsa'), Date.now);
  await writer.begin(
    { projectId: 'lab', environment: 'lab', root: '/', siteUrls: [], corpus: NOTHING_DECLARED },
    true,
  );
  const indexed = [...documents.values()].map(asIndexed);
  await writer.stage(indexed);
  await writer.publish(new Map(indexed.map(({ facts, hash }) => [facts.path, hash])));
  await writer.close();
  const index = makePort('sections', new SqliteReader(file, embedderNamed('lsa')));
  const questions = [];
  for (const { question, texts, gold } of rows) {
    const plan = planQuery({ text: question, keywords: [], parts: [], rewrite: true });
    const sections = texts.map(({ title, text }) => documents.get(`${title}\n${text}`));
    const ids = sections.map(({ id }) => id);
    const filter = { ...EVERYTHING, sectionIds: ids };
    const [ranking] = await rank(index, plan, { sections: ids.length, perDocument: ids.length, filter });
    const best = ranking.candidates[0]?.score || 1;
    const shares = new Map(ranking.candidates.map(({ section, score }) => [section.id, score / best]));
    const found = readTexts(
      ranking,
      sections.map((section) => ({ ...section, share: shares.get(section.id) ?? 0 })),
    );
    const score = (quotes) =>
      mean(
        gold.map(([at, sentence]) =>
          Number(quotes.some(({ textId, quote }) => textId === ids[at] && matchesGold(quote, sentence))),
        ),
      );
    if (gold.length > 0) {
      questions.push({
        parts: [found],
        options: { maxQuotes, maxQuoteTokens: 200, contextTokens: 0 },
        score,
      });
    }
  }
  await index.close();
  return questions;
}

function hotpotRows() {
  return lines(`${DATA}evidence/hotpotqa/questions.jsonl`).map(
    ({ question, paragraphs, supporting_facts: facts }) => ({
      question,
      texts: paragraphs.map(({ title, sentences }) => ({
        title,
        text: sentences.map((s) => s.trim()).join(' '),
      })),
      gold: paragraphs.flatMap(({ title, sentences }, at) =>
        sentences.flatMap((sentence, n) =>
          facts.some(([t, k]) => t === title && k === n) ? [[at, sentence]] : [],
        ),
      ),
    }),
  );
}

function scifactRows() {
  return lines(`${DATA}evidence/scifact-rationales/questions.jsonl`).flatMap(({ question, evidence }) =>
    evidence.map(({ title, sentences, gold_sentences: gold }) => ({
      question,
      texts: [{ title, text: sentences.join(' ') }],
      gold: gold.map((n) => [0, sentences[n]]),
    })),
  );
}

/** Computes the scores of all questions of a set. */
function run(questions, { weights = COVERAGE_WEIGHTS, reranker = 'coverage', options = {} } = {}) {
  return questions.map((question) => {
    const asked = { ...question.options, ...options };
    if (reranker === 'none') return question.score(chooseEvidence(question.parts, asked, 'none').whole);
    const texts = new Map(
      question.parts.flatMap(({ sections }) => sections.map(({ id, text }) => [id, text])),
    );
    const limits = { ...asked, isGrowing: asked.contextTokens > 0 };
    const parts = question.parts.map((part) => ({
      ...part,
      sections: part.sections.toSorted((a, b) => b.share - a.share),
    }));
    const chosen = chooseByCoverage(parts, limits, weights);
    return question.score(
      chosen.map(({ sectionId, start, end }) => ({
        textId: sectionId,
        quote: texts.get(sectionId).slice(start, end),
      })),
    );
  });
}

/** The score of each question within a budget of tokens, and the mean tokens of the quotes. */
function runBudget(questions, budgetTokens) {
  const chosen = questions.map(({ parts }) => chooseEvidence(parts, { budgetTokens }, 'coverage').whole);
  return {
    scores: questions.map(({ score }, i) => score(chosen[i])),
    tokens: mean(chosen.map((quotes) => quotes.reduce((sum, { quote }) => sum + quote.length, 0) / 4)),
  };
}

/** The mean difference of paired scores with its 95% bootstrap interval. */
function difference(a, b) {
  const random = randomFrom(7);
  const gaps = a.map((value, i) => value - b[i]);
  const means = Array.from({ length: 1000 }, () =>
    mean(gaps.map(() => gaps[Math.floor(random() * gaps.length)])),
  ).sort((x, y) => x - y);
  const show = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
  return `${show(mean(gaps))} (${show(means[25])} to ${show(means[974])})`;
}

async function makeSets(search) {
  const dev = join(folder, 'dev.sqlite');
  if (!search) {
    const bin = new URL('../bin/pith.js', import.meta.url).pathname;
    spawnSync(process.execPath, [bin, 'index', `${DATA}corpora/dev-mcp-nestjs`, '--index', dev], {
      stdio: 'ignore',
    });
  }
  const golden = `${DATA}golden/dev-mcp-nestjs.jsonl`;
  const sets = {
    dev: await goldenSet(golden, null, dev, search),
    'dev + keywords': await goldenSet(golden, `${DATA}golden/dev-keywords.jsonl`, dev, search),
  };
  for (const option of optionsOf('--golden')) {
    const [name, file, keywords, index] = option.split(':');
    sets[name] = await goldenSet(file, null, index, search);
    sets[`${name} + keywords`] = await goldenSet(file, keywords, index, search);
  }
  return sets;
}

function showTable(title, names, rows) {
  console.log(`\n## ${title}\n\n| | ${names.join(' | ')} |\n|---|${names.map(() => '---').join('|')}|`);
  for (const [name, cells] of rows) console.log(`| ${name} | ${cells.join(' | ')} |`);
}

const golden = await makeSets();
const sets = {
  ...golden,
  HotpotQA: await evidenceSet('hotpotqa', hotpotRows(), 6),
  SciFact: await evidenceSet('scifact', scifactRows(), 3),
};
const names = Object.keys(sets);
const full = Object.fromEntries(names.map((name) => [name, run(sets[name])]));
const rows = [['full configuration', names.map((name) => mean(full[name]).toFixed(3))]];
const without = (name, how) =>
  rows.push([name, names.map((set) => difference(full[set], run(sets[set], how)))]);
without('compared with `overlap`', { reranker: 'none' });
for (const key of Object.keys(COVERAGE_WEIGHTS))
  without(`\`${key}\``, { weights: { ...COVERAGE_WEIGHTS, [key]: 0 } });
rows.push([
  'growth by neighbouring sentences',
  names.map((set) =>
    set in golden ? difference(full[set], run(sets[set], { options: { contextTokens: 0 } })) : '–',
  ),
]);
for (const [name, search] of [
  ['vectors', { rankedBy: 'lexical' }],
  ['3 sections per document instead of 1', { perDocument: 1 }],
  ['8 sections instead of 5', { sections: 5 }],
]) {
  const changed = await makeSets(search);
  rows.push([name, names.map((set) => (set in changed ? difference(full[set], run(changed[set])) : '–'))]);
}
showTable(
  'What each ingredient adds to the share of answered questions (gold sentences for the last two)',
  names,
  rows,
);

const forBudget = await makeSets(poolLimits({ pool: '' }, { budgetTokens: 1 }, null));
const budgets = [200, 400, 600, 800, 1_200, 1_600];
showTable(
  'Answered questions within a budget, and the tokens of the quotes',
  Object.keys(golden),
  budgets.map((tokens) => [
    `${tokens} tokens`,
    Object.values(forBudget).map((set) => {
      const { scores, tokens: spent } = runBudget(set, tokens);
      return `${mean(scores).toFixed(3)} @ ${spent.toFixed(0)}`;
    }),
  ]),
);

const trials = Number(optionsOf('--fit')[0] ?? 0);
if (trials > 0) {
  const CHOICES = {
    coverage: [0.5, 0.75, 1],
    coverageWithHeadings: [0.5, 0.75, 1, 1.25],
    strength: [0, 0.25, 0.5],
    share: [0.75, 1, 1.25],
    lead: [0, 0.1, 0.2],
    instruction: [0, 0.15, 0.25, 0.35],
    constraint: [0, 0.1, 0.2, 0.3],
    naming: [0, 0.1, 0.15, 0.2],
    redundancy: [-0.3, -0.6, -0.9],
    sameSection: [0, -0.05, -0.1, -0.15],
  };
  const random = randomFrom(1);
  const tried = Array.from({ length: trials }, () => {
    const weights = Object.fromEntries(
      Object.entries(CHOICES).map(([key, values]) => [key, values[Math.floor(random() * values.length)]]),
    );
    return Object.fromEntries(names.map((set) => [set, run(sets[set], { weights })]));
  });
  const score = (result, isIn) =>
    names.reduce((sum, set) => sum + mean(result[set].filter((_, i) => isIn(i))), 0);
  const bestOf = (isIn) =>
    tried.reduce((best, result) => (score(result, isIn) > score(best, isIn) ? result : best));
  const fitted = bestOf(() => true);
  const folds = [0, 1, 2, 3, 4].map((fold) => ({ fold, best: bestOf((i) => i % 5 !== fold) }));
  const crossed = names.map((set) =>
    mean(folds.flatMap(({ fold, best }) => best[set].filter((_, i) => i % 5 === fold))).toFixed(3),
  );
  showTable(`Weights by random search, ${trials} trials, 5 folds`, names, [
    ['shipped, round weights', names.map((set) => mean(full[set]).toFixed(3))],
    ['best trial, on the sets it was chosen on', names.map((set) => mean(fitted[set]).toFixed(3))],
    ['best trial, cross-validated', crossed],
  ]);
}
rmSync(folder, { recursive: true, force: true });
