import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenFloors, type Floor } from '../../src/cli/commands/eval.command.js';
import { figuresOf } from '../../src/cli/eval/measures/figures.js';
import { goldenLineSchema, keywordsLineSchema } from '../../src/cli/eval/sets/golden-set.js';
import { goldenSetAt } from '../../src/cli/running/measure-golden.js';
import { parseConfig } from '../../src/config/config.js';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { COMMAND_ENGINES } from '../../src/engines/command-engines.js';
import { openInProcess } from '../../src/main.in-process.js';

const DOCS = join(PACKAGE_ROOT, 'docs');
const GOLDEN = join(PACKAGE_ROOT, 'fixtures', 'golden', 'pith-docs.jsonl');
const KEYWORDS = join(PACKAGE_ROOT, 'fixtures', 'golden', 'pith-docs-keywords.jsonl');

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const golden = linesOf(GOLDEN).map((line) => goldenLineSchema.parse(JSON.parse(line)));
// Line breaks in pages are ignored.
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Expected quotes and headings that are no longer in their page, with their line in the set. */
function stale(): string[] {
  return golden.flatMap(({ id, answers }, i) =>
    answers.flatMap(({ path, heading, quote }) => {
      const page = readFileSync(join(DOCS, path), 'utf8');
      const headings = page.split('\n').filter((line) => /^#+ /.test(line));
      const place = `fixtures/golden/pith-docs.jsonl:${i + 1} (${id}): docs/${path}`;
      return [
        ...(oneLine(page).includes(oneLine(quote))
          ? []
          : [`${place} no longer says ${JSON.stringify(quote)}`]),
        ...(headings.some((line) => line.endsWith(` ${heading}`))
          ? []
          : [`${place} has no heading ${heading}`]),
      ];
    }),
  );
}

/** Figures below their floors, and warnings about the index. */
async function asked(floors: readonly Floor[], keywords?: string) {
  let ticks = 0;
  const clocks = { now: () => 0, elapsed: () => ticks++ };
  const config = parseConfig({});
  const options = {
    open: openInProcess,
    engines: async () => COMMAND_ENGINES,
    config,
    clocks,
    corpus: DOCS,
    ...(keywords ? { keywords } : {}),
  };
  const { rows, figures, warnings } = await goldenSetAt(GOLDEN).measure(options);
  const wanted = figures.filter(({ key }) => floors.some((floor) => floor.key === key));
  const all = { name: 'all', questions: rows.length, figures: figuresOf(rows, wanted) };
  return [...warnings, ...brokenFloors({ name: 'pith-docs', all }, floors)];
}

describe('the golden set of our own documentation', () => {
  it('contains only quotes and headings of the pages', () => expect(stale()).toEqual([]));

  it('contains every kind of question', () => {
    const counts = { answerable: 0, unanswerable: 0, multihop: 0 };
    for (const { answerable, multihop } of golden) {
      counts[answerable ? 'answerable' : 'unanswerable']++;
      if (multihop) counts.multihop++;
    }
    expect(counts).toEqual({ answerable: 25, unanswerable: 6, multihop: 3 });
    expect([...new Set(golden.map(({ type }) => type))].sort()).toEqual([
      'conceptual',
      'factual',
      'howto',
      'identifier',
      'troubleshooting',
      'unanswerable',
    ]);
  });

  it('has keywords for every question', () => {
    const ids = linesOf(KEYWORDS).map((line) => keywordsLineSchema.parse(JSON.parse(line)).id);
    expect(ids).toEqual(golden.map(({ id }) => id));
  });
});

describe('questions about our own documentation', () => {
  it('stay above the floors', async () => {
    const floors = [
      { key: 'answered', bound: 0.28 },
      { key: 'page', bound: 0.76 },
      { key: 'pageHit5', bound: 0.84 },
      // One question of the six that the pages do not answer is worth .17.
      { key: 'abstainAuroc', bound: 0.8 },
      { key: 'contentTokens', bound: 600 },
    ];
    expect(await asked(floors)).toEqual([]);
  });

  it('stay above the floors with the keywords of a calling agent', async () => {
    const floors = [
      { key: 'answered', bound: 0.76 },
      { key: 'page', bound: 0.92 },
      { key: 'abstainAuroc', bound: 0.9 },
    ];
    expect(await asked(floors, KEYWORDS)).toEqual([]);
  });
});
