// Fits the weights of a quote within a budget (src/kb/evidence/score-answers.ts) to sets of questions.
//   npm run build && node bench/fit-answers.mjs NAME:GOLDEN.jsonl:KEYWORDS.jsonl:INDEX …
// For each set, compares the present weights with those fitted to the other sets: the share of questions whose answer is
// among the best units within 2,100 characters. Then prints the weights fitted to all sets. KEYWORDS may be empty.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const load = createRequire(new URL('../dist/x.js', import.meta.url));
const { makePort } = load('./sqlite/reader-ports.js');
const { SqliteReader } = load('./sqlite/reader-ports.js');
const { embedderNamed } = load('./sqlite/latent/embedder-named.js');
const { newTrace } = load('./core/call.js');
const { NO_FILTER } = load('./core/ports/section-index.port.js');
const { planQuery } = load('./kb/search/plan-query.js');
const { rankParts } = load('./kb/search/rank-parts.js');
const { readRanking } = load('./kb/evidence/choose-evidence.js');
const { ANSWER_WEIGHTS, answerScores } = load('./kb/evidence/score-answers.js');
const { matchesGold } = load('./cli/eval/sets/match-quote.js');
const { SHARPNESS } = load('./kb/evidence/choose-by-budget.js');
const { poolLimits } = load('./kb/evidence/choose-evidence.js');

const POOL = poolLimits({ pool: '' }, { budgetTokens: 1 }, null);
const ROOM_CHARS = 2_100;
/** The most units that one answer spans. */
const MAX_SPAN = 5;
const [STEPS, RATE, PENALTY] = [200, 0.05, 0.01];

const present = { ...ANSWER_WEIGHTS };
const SIGNS = Object.keys(present);
const asVector = (weights) => SIGNS.map((sign) => weights[sign]);
const lines = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

/** The value of each sign of each unit: scores are linear in the weights. */
function signsOf(part, section) {
  const columns = SIGNS.map((sign) => {
    for (const other of SIGNS) ANSWER_WEIGHTS[other] = other === sign ? 1 : 0;
    return answerScores(part)(section);
  });
  return section.units.map((_, at) => columns.map((column) => column[at]));
}

/** For each unit, true if it is part of the shortest run of units that holds an answer. */
function goldUnits({ text, units }, answers) {
  const gold = units.map(() => false);
  for (const { quote } of answers.filter((answer) => matchesGold(text, answer.quote))) {
    const runs = Array.from({ length: MAX_SPAN }, (_, more) =>
      units.map((_unit, from) => [from, from + more]),
    );
    const holds = ([from, to]) =>
      units[to] && matchesGold(text.slice(units[from].start, units[to].end), quote);
    const run = runs.flat().find(holds);
    if (run) gold.fill(true, run[0], run[1] + 1);
  }
  return gold;
}

/** One list of units for each part of a question whose answer was read. */
async function readLists(golden, keywords, file) {
  const index = makePort('sections', new SqliteReader(file, embedderNamed('lsa')));
  const { projectId, environment } = await index.stamp();
  const scope = { projectId, environment, docTags: null, repositories: null };
  const added = new Map(keywords ? lines(keywords).map((row) => [row.id, row]) : []);
  const lists = [];
  for (const { id, question, answers } of lines(golden).filter(({ answerable }) => answerable !== false)) {
    const plan = planQuery({ text: question, keywords: [], parts: [], ...added.get(id), rewrite: true });
    const signal = { throwIfAborted() {} };
    const call = { scope, trace: newTrace(), signal, now: () => 0, elapsed: () => 0 };
    const asked = { ...plan, filter: NO_FILTER, limits: POOL, mode: 'auto' };
    for (const part of (await rankParts(call, { index, graph: null }, asked)).map((one) =>
      readRanking(one),
    )) {
      const list = part.sections.flatMap((section) => {
        const gold = goldUnits(section, answers);
        return signsOf(part, section).map((signs, at) => {
          const { start, end } = section.units[at];
          return { signs, gold: gold[at], chars: end - start };
        });
      });
      if (list.some(({ gold }) => gold)) lists.push(list);
    }
  }
  await index.close();
  return lists;
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** The gradient of the logarithm of the probability that a unit of the answer is chosen. */
function gradient(list, weights) {
  const scores = list.map(({ signs }) => SHARPNESS * dot(signs, weights));
  const best = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - best));
  const all = odds.reduce((sum, one) => sum + one, 0);
  const ofGold = odds.reduce((sum, one, i) => sum + (list[i].gold ? one : 0), 0);
  const sums = SIGNS.map(() => 0);
  list.forEach(({ signs, gold }, i) => {
    const pull = SHARPNESS * ((gold ? odds[i] / ofGold : 0) - odds[i] / all);
    for (const [k, value] of signs.entries()) sums[k] += pull * value;
  });
  return sums;
}

/** Weights with the highest likelihood (Adam), held near the present ones by a penalty. */
function fit(lists) {
  const start = asVector(present);
  const weights = [...start];
  const [first, second] = [SIGNS.map(() => 0), SIGNS.map(() => 0)];
  for (let step = 1; step <= STEPS; step++) {
    const slopes = lists.map((list) => gradient(list, weights));
    for (const k of SIGNS.keys()) {
      const slope = mean(slopes.map((one) => one[k])) - 2 * PENALTY * SHARPNESS * (weights[k] - start[k]);
      first[k] = 0.9 * first[k] + 0.1 * slope;
      second[k] = 0.99 * second[k] + 0.01 * slope ** 2;
      const [m, v] = [first[k] / (1 - 0.9 ** step), second[k] / (1 - 0.99 ** step)];
      weights[k] += ((RATE / Math.sqrt(step)) * m) / (Math.sqrt(v) + 1e-8);
    }
  }
  return weights;
}

/** Share of the lists with a unit of the answer among the best units that fit. */
function found(lists, weights) {
  return mean(
    lists.map((list) => {
      let room = ROOM_CHARS;
      const ranked = list.map((unit) => ({ ...unit, score: dot(unit.signs, weights) }));
      const fits = ({ chars }) => chars <= room && ((room -= chars), true);
      return Number(
        ranked
          .sort((a, b) => b.score - a.score)
          .filter(fits)
          .some(({ gold }) => gold),
      );
    }),
  );
}

const sets = [];
for (const option of process.argv.slice(2)) {
  const [name, golden, keywords, index] = option.split(':');
  sets.push({ name, lists: await readLists(golden, '', index) });
  if (keywords)
    sets.push({ name: `${name} + keywords`, of: name, lists: await readLists(golden, keywords, index) });
}
console.log('| set | lists | present weights | fitted without it |\n|---|---|---|---|');
for (const { name, of = name, lists } of sets) {
  const others = sets.filter((set) => (set.of ?? set.name) !== of).flatMap((set) => set.lists);
  const values = [asVector(present), fit(others)].map((weights) => found(lists, weights).toFixed(3));
  console.log(`| ${name} | ${lists.length} | ${values.join(' | ')} |`);
}
const all = fit(sets.flatMap(({ lists }) => lists));
console.log(`\n| ${SIGNS.join(' | ')} |\n|${SIGNS.map(() => '---').join('|')}|`);
for (const weights of [asVector(present), all])
  console.log(`| ${weights.map((weight) => weight.toFixed(3)).join(' | ')} |`);
