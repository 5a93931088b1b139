import fc from 'fast-check';
import {
  chooseByOverlap,
  type ChosenQuote,
  type QuoteOptions,
} from '../../../src/kb/evidence/choose-by-overlap.js';
import { estimateTokens } from '../../../src/text/estimate-tokens.js';

const OPTIONS: QuoteOptions = { maxQuotes: 6, maxQuoteTokens: 80, contextTokens: 0 };
const choose = (
  question: string,
  passages: readonly string[],
  options: Partial<QuoteOptions> = {},
): ChosenQuote[] =>
  chooseByOverlap([{ question, texts: passages.map((text, i) => ({ id: `passage-${i}`, text })) }], {
    ...OPTIONS,
    ...options,
  });

interface Case {
  readonly rule: string;
  readonly question: string;
  readonly passages: readonly string[];
  readonly options?: Partial<QuoteOptions>;
  /** Expected quotes with their confidence, in order, computed by hand. */
  readonly quotes: readonly (readonly [string, number])[];
}

const TWENTY =
  'anchorage bulkheads captaincy databases elevation furniture gatehouse hurricane important junctions kilograms ' +
  'landscape machinery navigates objective passenger quantized retention seaworthy telescope';
/** 299 characters. */
const THIRTY = `${TWENTY} undertake vegetable waterfall xylophone yesterday zirconium accordion boulevard chemistry discovery`;

const CASES: readonly Case[] = [
  // 1. Normalise the question.
  {
    rule: 'the score is the share of the tokens',
    // where, mount, the, disk
    question: 'Where do I mount the disk?',
    passages: ['Mount the disk. Eject it.'],
    quotes: [
      ['Mount the disk.', 0.75],
      ['Eject it.', 0],
    ],
  },
  {
    rule: 'question and span are lower-cased',
    question: 'DISK Full',
    passages: ['The dIsK is FULL.'],
    quotes: [['The dIsK is FULL.', 1]],
  },
  {
    rule: 'tokens of one or two characters are dropped',
    question: 'go to an SSD',
    passages: ['Go to an ox. An SSD.'],
    quotes: [
      ['An SSD.', 1],
      ['Go to an ox.', 0],
    ],
  },
  {
    rule: 'tokens of three characters and digits stay',
    // 443, use
    question: 'Is 443 in use',
    passages: ['Port 443. Port 80.'],
    quotes: [
      ['Port 443.', 0.5],
      ['Port 80.', 0],
    ],
  },
  {
    rule: 'identifiers are split at what is not alphanumeric',
    // rate, limit, max, retries
    question: 'rate_limit --max-retries',
    passages: ['Set RATE_LIMIT. Count retries.'],
    quotes: [
      ['Set RATE_LIMIT.', 0.5],
      ['Count retries.', 0.25],
    ],
  },
  {
    rule: 'a host name is split into its parts, of which io is too short',
    // get, weka
    question: 'get.weka.io',
    passages: ['Ask get.weka.io for it. Forget it.'],
    quotes: [
      ['Ask get.weka.io for it.', 1],
      ['Forget it.', 0.5],
    ],
  },
  {
    rule: 'the digits of a version are too short',
    // version
    question: 'version 4.4.5',
    passages: ['Since 4.4.5 it waits. This version waits.'],
    quotes: [
      ['This version waits.', 1],
      ['Since 4.4.5 it waits.', 0],
    ],
  },
  {
    rule: 'letters of any script are alphanumeric',
    // straße, café
    question: 'Straße im Café',
    passages: ['Das Café. Die STRASSE.'],
    quotes: [
      ['Das Café.', 0.5],
      ['Die STRASSE.', 0],
    ],
  },
  {
    rule: 'a token counts once, however often the question says it',
    // disk, mount
    question: 'Disk, disk, disk: mount?',
    passages: ['The disk.'],
    quotes: [['The disk.', 0.5]],
  },
  {
    rule: 'a question without tokens scores everything 0, shortest first',
    question: 'Is it on?',
    passages: ['It is on the table. It is on. On.'],
    quotes: [
      ['On.', 0],
      ['It is on.', 0],
      ['It is on the table.', 0],
    ],
  },
  {
    rule: 'a run of Chinese is one token',
    question: '磁盘满',
    passages: ['磁盘满了。'],
    quotes: [['磁盘满了。', 1]],
  },
  {
    rule: 'a run of Chinese is in no span that holds it in pieces',
    question: '挂载新磁盘',
    passages: ['挂载磁盘。'],
    quotes: [['挂载磁盘。', 0]],
  },
  // 2. Split the text into spans.
  {
    rule: '. ? and ! end a span',
    question: 'stop',
    passages: ['Why? Stop! Go.'],
    quotes: [
      ['Stop!', 1],
      ['Go.', 0],
      ['Why?', 0],
    ],
  },
  {
    rule: 'a line end is white space too',
    question: 'second',
    passages: ['The first.\nThe second.'],
    quotes: [
      ['The second.', 1],
      ['The first.', 0],
    ],
  },
  {
    rule: 'marks within versions and host names end nothing',
    question: 'weka waits',
    passages: ['Since 4.4.5 get.weka.io waits for you. Nobody else.'],
    quotes: [
      ['Since 4.4.5 get.weka.io waits for you.', 1],
      ['Nobody else.', 0],
    ],
  },
  {
    rule: 'the full stop of an abbreviation ends a span',
    question: 'tool',
    passages: ['Use e.g. a tool. Rest.'],
    quotes: [
      ['a tool.', 1],
      ['Rest.', 0],
      ['Use e.g.', 0],
    ],
  },
  {
    rule: 'a mark before a closing quote ends nothing',
    question: 'left',
    passages: ['He said "no." Then left.'],
    quotes: [['He said "no." Then left.', 1]],
  },
  {
    rule: 'the last of several marks ends a span',
    question: 'then',
    passages: ['Wait... then go?! Now.'],
    quotes: [
      ['then go?!', 1],
      ['Now.', 0],
      ['Wait...', 0],
    ],
  },
  {
    rule: 'a line end within a sentence ends nothing',
    question: 'ship berth',
    passages: ['A ship\nlies at a berth.'],
    quotes: [['A ship\nlies at a berth.', 1]],
  },
  {
    rule: 'a blank line ends a span',
    question: 'berth',
    passages: ['A ship\n\nA berth\n \t\nA quay'],
    quotes: [
      ['A berth', 1],
      ['A ship', 0],
      ['A quay', 0],
    ],
  },
  {
    rule: 'bullets end a span and are no part of it',
    question: 'mount disk',
    passages: ['Do this:\n- mount it\n* eject the disk\n+ rest'],
    quotes: [
      ['mount it', 0.5],
      ['eject the disk', 0.5],
      ['rest', 0],
      ['Do this:', 0],
    ],
  },
  {
    rule: 'a bullet goes on below itself, and others lie within it',
    // second, line
    question: 'second line',
    passages: ['- First line\n  goes on\n  - Second line'],
    quotes: [
      ['Second line', 1],
      ['First line\n  goes on', 0.5],
    ],
  },
  {
    rule: 'the numbers of a list are bullets',
    question: 'eject',
    passages: ['1. Mount it.\n2) Eject it.'],
    quotes: [
      ['Eject it.', 1],
      ['Mount it.', 0],
    ],
  },
  {
    rule: 'a fence is one span, whatever is in it',
    question: 'mount disk',
    passages: ['Run this.\n```sh\nmount. It\n\n- disk\n```\nDone.'],
    quotes: [
      ['```sh\nmount. It\n\n- disk\n```', 1],
      ['Done.', 0],
      ['Run this.', 0],
    ],
  },
  {
    rule: 'a fence without an end goes on to the end',
    question: 'beta',
    passages: ['Ahead.\n```\nalpha. Then\n\nbeta'],
    quotes: [
      ['```\nalpha. Then\n\nbeta', 1],
      ['Ahead.', 0],
    ],
  },
  {
    rule: 'a fence may stand behind a bullet',
    question: 'mount',
    passages: ['- ```sh\n  mount. It\n  ```\n- rest'],
    quotes: [
      ['```sh\n  mount. It\n  ```', 1],
      ['rest', 0],
    ],
  },
  {
    rule: 'three backticks within a line are no fence',
    question: 'run',
    passages: ['```npm i``` installs. Run it.'],
    quotes: [
      ['Run it.', 1],
      ['```npm i``` installs.', 0],
    ],
  },
  {
    rule: 'the rows of a table are one span',
    question: 'delta',
    passages: ['| alpha | beta |\n|---|---|\n| gamma | delta |'],
    quotes: [['| alpha | beta |\n|---|---|\n| gamma | delta |', 1]],
  },
  {
    rule: 'white space is no span',
    question: 'disk',
    passages: ['', ' \n\n\t ', 'A disk.'],
    quotes: [['A disk.', 1]],
  },
  // 3. Score each span.
  {
    rule: 'a token may lie within a longer word',
    question: 'mount',
    passages: ['Unmounting ends.'],
    quotes: [['Unmounting ends.', 1]],
  },
  {
    rule: 'other forms of a word are other words',
    question: 'mounted',
    passages: ['Mount it.'],
    quotes: [['Mount it.', 0]],
  },
  {
    rule: 'a token counts once, however often the span says it',
    question: 'disk mount',
    passages: ['Disk disk disk. Mount a disk.'],
    quotes: [
      ['Mount a disk.', 1],
      ['Disk disk disk.', 0.5],
    ],
  },
  {
    rule: 'the score is rounded to four places',
    question: 'alpha beta gamma',
    passages: ['Alpha beta. Alpha.'],
    quotes: [
      ['Alpha beta.', 0.6667],
      ['Alpha.', 0.3333],
    ],
  },
  {
    rule: 'ties go to the shorter span',
    question: 'disk',
    passages: ['The disk is full. A disk.'],
    quotes: [
      ['A disk.', 1],
      ['The disk is full.', 1],
    ],
  },
  {
    rule: 'then to the earlier position in its passage, whichever passage that is',
    question: 'disk',
    passages: ['Ah. A disk.', 'B disk. C disk.'],
    quotes: [
      ['B disk.', 1],
      ['A disk.', 1],
      ['C disk.', 1],
      ['Ah.', 0],
    ],
  },
  {
    rule: 'then to the passage that was given first',
    question: 'disk',
    passages: ['B disk.', 'A disk.'],
    quotes: [
      ['B disk.', 1],
      ['A disk.', 1],
    ],
  },
  {
    rule: 'a better score beats length, position and passage',
    question: 'mount disk',
    passages: ['Disk.', 'So. Then one may mount a disk.'],
    quotes: [
      ['Then one may mount a disk.', 1],
      ['Disk.', 0.5],
      ['So.', 0],
    ],
  },
  // 4. Select quotes.
  {
    rule: 'the top spans of all passages fill max_quotes',
    question: 'disk',
    passages: ['My disk. The disk.', 'A disk. No.'],
    options: { maxQuotes: 2 },
    quotes: [
      ['A disk.', 1],
      ['My disk.', 1],
    ],
  },
  {
    rule: 'spans of score 0 fill what is left of max_quotes',
    question: 'anchor',
    passages: ['Rope. The anchor holds. Tar and rope. Oil.'],
    options: { maxQuotes: 3 },
    quotes: [
      ['The anchor holds.', 1],
      ['Oil.', 0],
      ['Rope.', 0],
    ],
  },
  {
    rule: 'a sentence that comes again is quoted again',
    question: 'disk',
    passages: ['A disk. No. A disk.', 'A disk.'],
    quotes: [
      ['A disk.', 1],
      ['A disk.', 1],
      ['A disk.', 1],
      ['No.', 0],
    ],
  },
  {
    rule: 'no passages give no quotes',
    question: 'disk',
    passages: [],
    quotes: [],
  },
  {
    rule: 'a quote ends before 500 characters, at a word, and its score is that of the whole span',
    question: 'telescope discovery shipwreck',
    passages: [`${THIRTY} ${THIRTY} shipwreck`],
    options: { maxQuoteTokens: 200 },
    quotes: [[`${THIRTY} ${TWENTY}`, 1]],
  },
  {
    rule: 'a long fence is cut like any other span',
    question: 'disk',
    passages: [`\`\`\`text\n${THIRTY} ${THIRTY}\n\`\`\``],
    options: { maxQuoteTokens: 200 },
    // 8 + 299 + 1 + 189 characters are 497; the next word would end at 507.
    quotes: [[`\`\`\`text\n${THIRTY} ${TWENTY.slice(0, 189)}`, 0]],
  },
  // 5. Add context.
  {
    rule: 'context lies on both sides of the span',
    question: 'disk full',
    passages: ['Before it stands this. The disk is full. After it stands that.'],
    options: { maxQuotes: 1, maxQuoteTokens: 200, contextTokens: 200 },
    quotes: [['Before it stands this. The disk is full. After it stands that.', 1]],
  },
  {
    rule: 'context changes neither score nor order, and takes nothing of another quote',
    question: 'mount disk',
    passages: ['Ahead. A disk. Mount a disk. Behind.'],
    options: { maxQuotes: 2, maxQuoteTokens: 200, contextTokens: 200 },
    quotes: [
      ['Mount a disk. Behind.', 1],
      ['Ahead. A disk.', 0.5],
    ],
  },
  {
    rule: 'context never displaces a span that fills its quote',
    question: 'telescope',
    passages: [`Ahead. ${THIRTY} ${THIRTY}. Behind.`],
    options: { maxQuotes: 1, maxQuoteTokens: 200, contextTokens: 200 },
    quotes: [[`${THIRTY} ${TWENTY}`, 1]],
  },
];

/** At most 480 characters, so that every span is quoted whole if the token limit is high. */
const SHORT_WORDS = ['mount', 'Disk', 'full.', 'on', 'a', '?', '\n\n', '\n- ', '\n```\n', '磁盘'];
const aText = (...words: string[]) =>
  fc.array(fc.constantFrom(...words), { maxLength: 80 }).map((chosen) => chosen.join(' '));
const someShort = fc.array(aText(...SHORT_WORDS), { maxLength: 4 });
const aQuestion = aText('mount', 'disk', 'FULL', 'on', '磁盘');
const asked = fc.record({
  question: aQuestion,
  passages: fc.array(aText(...SHORT_WORDS, 'x'.repeat(90)), { maxLength: 4 }),
  options: fc.record({
    maxQuotes: fc.integer({ min: 1, max: 12 }),
    maxQuoteTokens: fc.integer({ min: 10, max: 200 }),
    contextTokens: fc.integer({ min: 0, max: 200 }),
  }),
});

describe('choosing by literal overlap', () => {
  it.each(CASES)('$rule', ({ question, passages, options, quotes }) => {
    expect(choose(question, passages, options).map(({ quote, confidence }) => [quote, confidence])).toEqual(
      quotes,
    );
  });

  it('gives the same quotes for the same call', () => {
    fc.assert(
      fc.property(asked, ({ question, passages, options }) => {
        expect(choose(question, passages, options)).toEqual(choose(question, passages, options));
      }),
    );
  });

  it('sorts by score, then the shorter span, then the earlier one', () => {
    fc.assert(
      fc.property(aQuestion, someShort, (question, passages) => {
        const quotes = choose(question, passages, { maxQuotes: 12, maxQuoteTokens: 2_000 });
        const keys = quotes.map(({ confidence, quote, start }) => [-confidence, quote.length, start]);
        const ordered = keys.toSorted(
          ([score = 0, length = 0, start = 0], [otherScore = 0, otherLength = 0, otherStart = 0]) =>
            score - otherScore || length - otherLength || start - otherStart,
        );
        expect(keys).toEqual(ordered);
      }),
    );
  });

  it('respects the limits of quotes, tokens and characters', () => {
    fc.assert(
      fc.property(asked, ({ question, passages, options }) => {
        const quotes = choose(question, passages, options);
        const { maxQuotes, maxQuoteTokens } = options;
        expect(quotes.length).toBeLessThanOrEqual(maxQuotes);
        expect(
          quotes.filter(({ quote }) => estimateTokens(quote) > maxQuoteTokens || quote.length > 500),
        ).toEqual([]);
      }),
    );
  });

  it('quotes verbatim slices, none of them empty', () => {
    fc.assert(
      fc.property(asked, ({ question, passages, options }) => {
        const texts = new Map(passages.map((text, i) => [`passage-${i}`, text]));
        const quotes = choose(question, passages, options);
        expect(quotes.map(({ quote }) => quote)).toEqual(
          quotes.map(({ textId, start, end }) => texts.get(textId)?.slice(start, end)),
        );
        expect(quotes.filter(({ quote }) => quote.trim() === '')).toEqual([]);
      }),
    );
  });

  it('adds context to a quote and removes nothing', () => {
    fc.assert(
      fc.property(asked, ({ question, passages, options }) => {
        const bare = choose(question, passages, { ...options, contextTokens: 0 });
        const quotes = choose(question, passages, options);
        expect(quotes.map(({ quote }, i) => quote.includes(bare[i]?.quote ?? 'missing'))).toEqual(
          bare.map(() => true),
        );
      }),
    );
  });
});
