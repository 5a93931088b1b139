import fc from 'fast-check';
import { splitUnits } from '../../../../src/ingest/structure/split-units.js';
import {
  chooseByCoverage,
  type CoverageLimits,
  type CoveragePart,
} from '../../../../src/kb/evidence/choose-by-coverage.js';
import { COVERAGE_WEIGHTS, type CoverageWeights } from '../../../../src/kb/evidence/score-units.js';
import {
  type FoundSection,
  readSection,
  UnitMemo,
  weighQuestion,
} from '../../../../src/kb/evidence/sections/read-section.js';
import { estimateTokens } from '../../../../src/text/estimate-tokens.js';
import { withStructure } from '../../../support/builders.js';
import { overlaps } from '../../../support/overlaps.js';

/** Only coverage has a weight. Each test adds the weight that it checks. */
const COVERAGE: CoverageWeights = {
  ...COVERAGE_WEIGHTS,
  coverage: 1,
  coverageWithHeadings: 0,
  strength: 0,
  share: 0,
  lead: 0,
  instruction: 0,
  constraint: 0,
  naming: 0,
  redundancy: 0,
  sameSection: 0,
};
const LIMITS: CoverageLimits = { maxQuotes: 6, maxQuoteTokens: 80, isGrowing: false };
const GROWING: CoverageLimits = { ...LIMITS, isGrowing: true };

type Found = Pick<FoundSection, 'text'> & Partial<FoundSection>;

/** A part that asks for these stems. Each is in one of ten sections. */
function aPart(terms: readonly string[], ...sections: readonly (string | Found)[]): CoveragePart {
  const weights = weighQuestion(terms, Object.fromEntries(terms.map((term) => [term, 1])), 10);
  const found = sections.map((section) => (typeof section === 'string' ? { text: section } : section));
  return {
    question: terms.join(' '),
    weights,
    sections: found.map((section, i) =>
      readSection(
        withStructure({ id: `section-${i}`, headingPath: ['Guide'], share: 1, ...section }),
        weights,
        new UnitMemo(),
      ),
    ),
  };
}
function quotesOf(
  parts: readonly CoveragePart[],
  limits: Partial<CoverageLimits> = {},
  weights: Partial<CoverageWeights> = {},
): string[] {
  const texts = new Map(parts.flatMap(({ sections }) => sections.map(({ id, text }) => [id, text])));
  const quotes = chooseByCoverage(parts, { ...LIMITS, ...limits }, { ...COVERAGE, ...weights });
  return quotes.map(({ sectionId, start, end }) => (texts.get(sectionId) ?? '').slice(start, end));
}

const LONG = `A disk ${'that the keeper of a far harbour writes into one of many books '.repeat(12)}ends.`;

const pieces = fc.constantFrom(
  'disk',
  'ship',
  'The',
  'full.',
  'on',
  'Rest.',
  '\n\n',
  '\n- ',
  '\n```\n',
  '\n| a |\n|---|\n| disk |\n',
  '磁盘',
);
const someTexts = fc.array(
  fc.array(pieces, { maxLength: 50 }).map((words) => words.join(' ')),
  { maxLength: 4 },
);
const someLimits = fc.record({
  maxQuotes: fc.integer({ min: 1, max: 12 }),
  maxQuoteTokens: fc.integer({ min: 10, max: 200 }),
  isGrowing: fc.boolean(),
});

describe('chooseByCoverage', () => {
  it('chooses first the unit that covers most of the question', () => {
    expect(quotesOf([aPart(['disk', 'full'], 'Ships sail. A disk. The disk is full.')])).toEqual([
      'The disk is full.',
      'A disk.',
      'Ships sail.',
    ]);
  });

  it('chooses the requested number of quotes from all sections together', () => {
    const part = aPart(['disk'], 'A disk. My disk.', 'The disk.');
    expect(quotesOf([part], { maxQuotes: 2 })).toEqual(['A disk.', 'My disk.']);
  });

  it('weighs a rare word more than a common one', () => {
    const weights = weighQuestion(['disk', 'ship'], { disk: 8, ship: 1 }, 10);
    const text = 'The disk. The ship here.';
    const section = readSection(
      withStructure({ id: 'a', text, headingPath: [], share: 1 }),
      weights,
      new UnitMemo(),
    );
    expect(quotesOf([{ question: '', weights, sections: [section] }], { maxQuotes: 1 })).toEqual([
      'The ship here.',
    ]);
  });

  it('recognises all forms of the words of a question', () => {
    expect(quotesOf([aPart(['mount', 'disk'], 'Rest. It is mounting disks.')], { maxQuotes: 1 })).toEqual([
      'It is mounting disks.',
    ]);
  });

  it('prefers the better section, according to the weight of its share', () => {
    const part = aPart(['disk'], { text: 'The disk is here.', share: 1 }, { text: 'A disk.', share: 0.5 });
    expect(quotesOf([part], { maxQuotes: 1 }, { share: 1 })).toEqual(['The disk is here.']);
  });

  it.each([
    ['the shorter unit', 'The disk is here. A disk.', 'A disk.'],
    ['the earlier of units of one length', 'A disk. B disk.', 'A disk.'],
  ])('breaks ties by %s', (_, text, first) => {
    expect(quotesOf([aPart(['disk'], text)], { maxQuotes: 1 })).toEqual([first]);
  });

  it('breaks ties between units of equal length by the better section, wherever they are', () => {
    expect(quotesOf([aPart(['disk'], 'Ahead. B disk.', 'A disk.')], { maxQuotes: 1 })).toEqual(['B disk.']);
  });

  it('prefers units with new terms, according to the weight of redundancy', () => {
    // The second sentence covers 2/3, of which half is known: 2/3 - 1.2 · 1/3 is less than the 1/3 of the third.
    const part = aPart(['disk', 'full', 'ship'], 'A full disk. The full disk. A ship here.');
    expect(quotesOf([part], {}, { redundancy: -1.2 })).toEqual([
      'A full disk.',
      'A ship here.',
      'The full disk.',
    ]);
    expect(quotesOf([part])).toEqual(['A full disk.', 'The full disk.', 'A ship here.']);
  });

  it('prefers sections that are not quoted yet, according to the weight for the same section', () => {
    const part = aPart(['disk'], 'A disk. B disk.', 'The disk is here.');
    expect(quotesOf([part], { maxQuotes: 2 }, { sameSection: -0.1 })).toEqual([
      'A disk.',
      'The disk is here.',
    ]);
  });

  it('chooses nothing from sections without a word of the question', () => {
    expect(quotesOf([aPart(['disk'], 'A ship. Two ships.')])).toEqual([]);
    expect(quotesOf([aPart(['disk'], 'A ship.', 'A disk.')])).toEqual(['A disk.']);
  });

  it('chooses sentences below a heading with a word of the question', () => {
    expect(quotesOf([aPart(['disk'], { text: 'Use it.', headingPath: ['Disks'] })])).toEqual(['Use it.']);
  });

  it.each<[string, CoveragePart[]]>([
    ['parts', []],
    ['sections', [aPart(['disk'])]],
    ['text', [aPart(['disk'], '')]],
    ['terms that the index holds', [aPart([], 'A disk.')]],
  ])('quotes nothing without %s', (_, parts) => {
    expect(quotesOf(parts, GROWING)).toEqual([]);
  });

  it('cuts a unit that is too long for a quote at a word', () => {
    const [quote = ''] = quotesOf([aPart(['disk'], LONG)]);
    expect(LONG.startsWith(`${quote} `)).toBe(true);
    expect(estimateTokens(quote)).toBeLessThanOrEqual(80);
  });

  describe('growing', () => {
    const TEXT = 'Ships sail. The disk is full. Cats sleep.';

    it('adds neighbours while the quote fits', () => {
      expect(quotesOf([aPart(['disk'], TEXT)], GROWING)).toEqual([TEXT]);
    });

    it('adds no neighbours if growing is off', () => {
      expect(quotesOf([aPart(['disk'], TEXT)], { maxQuotes: 1 })).toEqual(['The disk is full.']);
    });

    it('adds the following neighbour first if both are equally good', () => {
      const maxQuoteTokens = estimateTokens('The disk is full. Cats sleep.');
      expect(quotesOf([aPart(['disk'], TEXT)], { ...GROWING, maxQuoteTokens, maxQuotes: 1 })).toEqual([
        'The disk is full. Cats sleep.',
      ]);
    });

    it('adds the neighbour with more of the question first', () => {
      const text = 'A full one. The disk is full. Cats sleep.';
      const maxQuoteTokens = estimateTokens('A full one. The disk is full.');
      expect(quotesOf([aPart(['disk', 'full'], text)], { ...GROWING, maxQuoteTokens, maxQuotes: 1 })).toEqual(
        ['A full one. The disk is full.'],
      );
    });

    it('adds neighbours only as a whole', () => {
      const text = `The disk is full. ${'Ships sail and cats sleep on many a quay, '.repeat(4)}as they do.`;
      expect(quotesOf([aPart(['disk'], text)], { ...GROWING, maxQuoteTokens: 30, maxQuotes: 1 })).toEqual([
        'The disk is full.',
      ]);
    });

    it('stays within 500 characters, for any token limit', () => {
      const sentences = 'Anchors hold ships. Keepers write books. Gulls eat fish. '.repeat(8);
      const quotes = quotesOf([aPart(['disk'], `The disk is full. ${sentences}`)], {
        ...GROWING,
        maxQuoteTokens: 2_000,
      });
      expect(quotes[0]).toMatch(/^The disk is full\. [^]{380,482}\.$/);
    });

    it('stays within its section', () => {
      expect(quotesOf([aPart(['disk'], 'A disk.', 'A disk too.')], GROWING)).toEqual([
        'A disk.',
        'A disk too.',
      ]);
    });

    it('does not overlap another quote', () => {
      const text = 'A disk. Rest. B disk.';
      const maxQuoteTokens = estimateTokens('A disk. Rest.');
      expect(quotesOf([aPart(['disk'], text)], { ...GROWING, maxQuoteTokens })).toEqual([
        'A disk. Rest.',
        'B disk.',
      ]);
    });
  });

  describe('code and tables', () => {
    const CODE = 'Start it:\n\n```sh\ncd app\nnpm run disk\nnpm test\n```';
    const TABLE = '| Name | Size |\n|---|---|\n| ship | 2 |\n| disk | 4 |';

    it('shows a line of code between its neighbours', () => {
      expect(quotesOf([aPart(['disk'], CODE)], GROWING)).toEqual([
        'Start it:\n\n```sh\ncd app\nnpm run disk\nnpm test\n```',
      ]);
    });

    it('shows a line of code alone if growing is off', () => {
      expect(quotesOf([aPart(['disk'], CODE)], { maxQuotes: 1 })).toEqual(['npm run disk']);
    });

    it('shows a row of a table below its header', () => {
      expect(quotesOf([aPart(['disk'], TABLE)], { ...GROWING, maxQuotes: 1 })).toEqual([TABLE]);
    });

    it('shows a row alone if the header does not fit', () => {
      const rows = '| anchor of a ship | 2 |\n'.repeat(20);
      const text = `| Name | Size |\n|---|---|\n${rows}| disk | 4 |`;
      expect(quotesOf([aPart(['disk'], text)], { maxQuotes: 1, maxQuoteTokens: 30 })).toEqual([
        '| disk | 4 |',
      ]);
    });

    it('adds no header that is in another quote', () => {
      const text = '| Disk | Size |\n|---|---|\n| ship | 2 |\n| my disk | 4 |';
      expect(quotesOf([aPart(['disk'], text)], { maxQuotes: 2 })).toEqual([
        '| Disk | Size |\n|---|---|',
        '| my disk | 4 |',
      ]);
    });
  });

  it('begins with the mark of a list item', () => {
    const text = 'Before you sail:\n\n- Fill the disk.\n2. Clear the deck.';
    expect(quotesOf([aPart(['disk', 'deck'], text)], { maxQuotes: 2 })).toEqual([
      '- Fill the disk.',
      '2. Clear the deck.',
    ]);
  });

  describe('parts', () => {
    const TEXT = 'A disk. B disk. A ship. B ship.';

    it('choose in turn', () => {
      expect(quotesOf([aPart(['disk'], TEXT), aPart(['ship'], TEXT)], { maxQuotes: 3 })).toEqual([
        'A disk.',
        'A ship.',
        'B disk.',
      ]);
    });

    it('leave their turn to the others if they have no quote', () => {
      const parts = [aPart(['anchor'], TEXT), aPart(['disk'], TEXT)];
      expect(quotesOf(parts, { maxQuotes: 2 })).toEqual(['A disk.', 'B disk.']);
    });

    it('quote the same unit once', () => {
      const text = 'A disk on a ship. Rest.';
      expect(quotesOf([aPart(['disk'], text), aPart(['ship'], text)], { maxQuotes: 2 })).toEqual([
        'A disk on a ship.',
        'Rest.',
      ]);
    });

    it('are not penalised for terms that quotes of other parts cover', () => {
      // The second part has no quote yet, so its best sentence is not penalised.
      const text = 'A full disk. Full of it. A full ship.';
      const parts = [aPart(['disk', 'full'], text), aPart(['ship', 'full'], text)];
      expect(quotesOf(parts, { maxQuotes: 2 }, { redundancy: -1.2 })).toEqual([
        'A full disk.',
        'A full ship.',
      ]);
    });
  });

  it('quotes whole units within the limits, without overlaps', () => {
    fc.assert(
      fc.property(someTexts, someLimits, (texts, limits) => {
        const parts = [aPart(['disk', 'full'], ...texts), aPart(['ship'], ...texts)];
        const quotes = chooseByCoverage(parts, limits).map((quote) => ({
          ...quote,
          text: texts[Number(quote.sectionId.slice('section-'.length))] ?? '',
        }));
        const units = new Map(texts.map((text) => [text, splitUnits(text)]));
        expect(quotes.length).toBeLessThanOrEqual(limits.maxQuotes);
        expect(
          quotes.filter(
            ({ text, start, end }) => estimateTokens(text.slice(start, end)) > limits.maxQuoteTokens,
          ),
        ).toEqual([]);
        expect(quotes.filter(({ start, end }) => end - start > 500 || end <= start)).toEqual([]);
        expect(
          quotes.filter(({ text, start }) =>
            units.get(text)?.some((unit) => unit.start < start && start < unit.end),
          ),
        ).toEqual([]);
        expect(
          quotes.filter((a) => quotes.some((b) => a !== b && a.sectionId === b.sectionId && overlaps(a, b))),
        ).toEqual([]);
      }),
    );
  });

  it('gives the same quotes for the same call', () => {
    fc.assert(
      fc.property(someTexts, someLimits, (texts, limits) => {
        const parts = () => [aPart(['disk', 'full'], ...texts), aPart(['ship'], ...texts)];
        expect(chooseByCoverage(parts(), limits)).toEqual(chooseByCoverage(parts(), limits));
      }),
    );
  });

  it('reports which part chose a quote', () => {
    const parts = [aPart(['disk'], 'A disk. A ship.'), aPart(['ship'], 'A disk. A ship.')];
    const quotes = chooseByCoverage(parts, { ...LIMITS, maxQuotes: 2 }, COVERAGE);
    expect(quotes.map(({ part }) => part)).toEqual([0, 1]);
  });

  it('reports the score as a share of the best quote of the part, from 0 to 1', () => {
    fc.assert(
      fc.property(someTexts, someLimits, (texts, limits) => {
        const shares = chooseByCoverage([aPart(['disk', 'full', 'ship'], ...texts)], limits).map(
          ({ share }) => share,
        );
        expect(shares.filter((share) => !(share >= 0 && share <= 1))).toEqual([]);
      }),
    );
  });

  it('omits quotes after the fourth below .6 of the best score, unless growing is off', () => {
    const strong = 'A disk and a ship.';
    const part = aPart(['disk', 'ship'], ...Array.from({ length: 4 }, () => strong), 'A disk.', 'A ship.');
    expect(quotesOf([part], { isGrowing: true })).toEqual([strong, strong, strong, strong]);
    expect(quotesOf([part])).toEqual([strong, strong, strong, strong, 'A disk.', 'A ship.']);
  });

  it.each([
    [
      'behind a colon',
      'Empty the disk as follows:\n\n```sh\nrm -r .\n```',
      'Empty the disk as follows:\n\n```sh\nrm -r .\n```',
    ],
    ['behind no other sentence', 'Empty the disk.\n\n```sh\nrm -r .\n```', 'Empty the disk.'],
  ])('lets a sentence grow into code %s', (_, text, quote) => {
    expect(quotesOf([aPart(['disk'], text)], { maxQuotes: 1, isGrowing: true })).toEqual([quote]);
  });
});
