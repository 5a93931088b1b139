import fc from 'fast-check';
import { budgetChooser, type BudgetPart } from '../../../../src/kb/evidence/choose-by-budget.js';
import { spanKey } from '../../../../src/kb/evidence/score-units.js';
import { readSection, UnitMemo, weighQuestion } from '../../../../src/kb/evidence/sections/read-section.js';
import { withStructure } from '../../../support/builders.js';

type Texts = readonly string[];

/** A part of a question about some words, with sections that are named by their position. */
function aPart(words: readonly string[], texts: Texts): BudgetPart {
  const weights = weighQuestion(words, Object.fromEntries(words.map((word) => [word, 2])), 100);
  const sections = texts.map((text, i) =>
    readSection(
      withStructure({ id: `${i}.md`, text, headingPath: ['A'], share: 1 / (i + 1) }),
      weights,
      new UnitMemo(),
    ),
  );
  return { question: words.join(' '), weights, sections, confidence: 1 };
}

const textsOf = (texts: Texts, parts: readonly BudgetPart[], tokens = 600): string[] =>
  budgetChooser(parts)(tokens).map(({ sectionId, start, end }) =>
    (texts[Number.parseInt(sectionId, 10)] ?? '').slice(start, end),
  );
const choose = (words: readonly string[], texts: Texts, tokens?: number): string[] =>
  textsOf(texts, [aPart(words, texts)], tokens);

const FILLER =
  'Nothing of interest is written in this sentence, which is here to be long and to be left out. ';
const PIECES = [
  'The disk is full.',
  'A ship lies here. It has no disk: see below.',
  '- a disk\n- a ship',
  'Run it:\n\n```sh\nmount disk\n\nif (ship) {\n  eject disk\n}\n```',
  '```js\nfunction ship() {\n  return disk;\n}\n```',
  '| disk | size |\n|---|---|\n| ship | 4 |\n| mole | 5 |',
  '> a quoted disk',
  '<div>',
  FILLER.repeat(3),
];
const someTexts = fc.array(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('\n\n')),
  { minLength: 1, maxLength: 4 },
);

describe('budgetChooser', () => {
  it('quotes a short section whole', () => {
    expect(choose(['disk'], ['The disk is full. It stops.'])).toEqual(['The disk is full. It stops.']);
  });

  it('leaves out what is not worth its tokens', () => {
    expect(choose(['disk'], [`The disk is full. ${FILLER.repeat(20)}`])[0]?.length).toBeLessThan(1_200);
  });

  it('fills a small gap between two windows', () => {
    const text = `${FILLER.repeat(9)}The disk. So it is. The disk. ${FILLER.repeat(9)}`;
    expect(choose(['disk'], [text], 150)).toEqual(['The disk. So it is. The disk.']);
  });

  it('quotes a block of code with its fences and the sentence that introduces it', () => {
    const text = `${FILLER.repeat(4)}\n\nRun it:\n\n\`\`\`sh\ncd app\nmount disk\n\`\`\`\n\n${FILLER.repeat(4)}`;
    expect(choose(['mount', 'disk'], [text], 40)).toEqual(['Run it:\n\n```sh\ncd app\nmount disk\n```']);
  });

  it.each([
    ':::danger[Never in rain]\n\nThe rotor is started by hand.',
    '> [!WARNING]\n> The rotor is started by hand.',
    '!!! warning "Never in rain"\n    The rotor is started by hand.',
    ':::danger\n\n- The rotor is started by hand.',
  ])('quotes the kind of an admonition with its first sentence: %j', (block) => {
    const text = `${FILLER.repeat(4)}\n\n${block}\n\n:::\n\n${FILLER.repeat(4)}`;
    expect(choose(['rotor'], [text], 40)).toEqual([block]);
  });

  it('quotes no mark of MkDocs whose text is not indented, which has no text', () => {
    const text = `${FILLER.repeat(4)}\n\n!!! warning "Never in rain"\n\nThe rotor is started by hand.\n\n${FILLER.repeat(4)}`;
    expect(choose(['rotor'], [text], 40)).toEqual(['The rotor is started by hand.']);
  });

  it('quotes both fences of a block of code in a blockquote', () => {
    const block = '> Run it:\n>\n> ```sh\n> mount disk\n> ```';
    const text = `${FILLER.repeat(4)}\n\n${block}\n\n${FILLER.repeat(4)}`;
    expect(choose(['mount', 'disk'], [text], 40)).toEqual([block.slice(2)]);
  });

  it('quotes the rest of a long block of code if it fits', () => {
    const other = Array.from({ length: 20 }, (_, i) => `const value${i} = read(${i}, 'a file');`).join('\n');
    const block = `\`\`\`js\nmount(disk);\n\n${other}\n\`\`\``;
    const text = `${FILLER.repeat(9)}\n\n${block}\n\n${FILLER.repeat(9)}`;
    expect(choose(['mount', 'disk'], [text], 300).join('\n')).toContain(block);
    expect(choose(['mount', 'disk'], [text], 100).join('\n')).not.toContain('value19');
  });

  it('quotes what the last sentence announces', () => {
    const text = `${FILLER.repeat(4)}\n\nMount the disk:\n\n\`\`\`sh\ngo\n\`\`\`\n\n${FILLER.repeat(4)}`;
    expect(choose(['mount', 'disk'], [text], 40)).toEqual(['Mount the disk:\n\n```sh\ngo\n```']);
  });

  it('prefers the sentence beside a match to one as far from the words of the question elsewhere', () => {
    const [far, near] = ['A mole is long and of stone.', 'It is emptied every night by a crew.'];
    const text = `${far} ${FILLER.repeat(9)} The disk is full. ${near}`;
    expect(choose(['disk'], [text], 60)[0]).toBe(`The disk is full. ${near}`);
  });

  it('adds half a budget for each further part that is likely to be answered', () => {
    const disks = Array.from({ length: 40 }, (_, i) => `The disk is full on day ${i}.`).join(' ');
    const ships = Array.from({ length: 40 }, (_, i) => `A ship lies at berth ${i}.`).join(' ');
    const texts = [disks, ships];
    const chars = (parts: readonly BudgetPart[]): number => textsOf(texts, parts, 100).join('').length;
    const parts = [aPart(['disk'], texts), aPart(['ship'], texts)];
    expect(chars(parts.slice(0, 1))).toBeLessThanOrEqual(400);
    expect(chars(parts)).toBeGreaterThan(450);
    expect(chars(parts)).toBeLessThanOrEqual(600);
    const [disk, ship] = parts as [BudgetPart, BudgetPart];
    expect(chars([disk, { ...ship, confidence: 0.69 }])).toBeLessThanOrEqual(400);
  });

  it('quotes a short block of code with the sentence above it', () => {
    const text = `${FILLER.repeat(4)}\n\nMount the disk.\n\n\`\`\`sh\ngo\n\`\`\`\n\n${FILLER.repeat(4)}`;
    expect(choose(['mount', 'disk'], [text], 40)).toEqual(['Mount the disk.\n\n```sh\ngo\n```']);
  });

  it('quotes complete items of a list that does not fit', () => {
    const items = Array.from({ length: 30 }, (_, i) => `- Number ${i} is a thing of no interest.`).join('\n');
    const [quote = ''] = choose(['mount', 'disk'], [`Mount the disk:\n\n${items}\n`], 100);
    expect(quote).toMatch(/^Mount the disk:\n\n(?:- Number \d+ is a thing of no interest\.\n?)+$/);
  });

  it('does not quote a sentence that announces what does not fit', () => {
    const code = `\`\`\`\n${'x'.repeat(2_000)}\n\`\`\``;
    const text = `The disk is full.\n\nMount the disk:\n\n${code}\n\n${FILLER.repeat(4)}`;
    expect(choose(['mount', 'disk'], [text], 300)).toEqual(['The disk is full.']);
  });

  it('does not quote a sentence that announces the sections below it', () => {
    const text = `The disk is full.\n\n${FILLER.repeat(4)}\n\nMount the disk in one of these ways:`;
    expect(choose(['mount', 'disk'], [text], 300).join(' ')).not.toContain('ways');
  });

  it('begins a quote in a list with the mark of its item', () => {
    const steps = Array.from({ length: 9 }, (_, i) => `${i + 1}. ${FILLER.repeat(3)}`);
    steps[4] = '5. Mount the disk.';
    expect(choose(['mount', 'disk'], [steps.join('\n')], 100)).toEqual(['5. Mount the disk.']);
  });

  it('quotes the header of a table with the line below it', () => {
    const rows = Array.from({ length: 9 }, (_, i) => `| ${i} | ${FILLER.repeat(3)} |`).join('\n');
    const header = `| disk | ${'x'.repeat(300)} |`;
    const text = `${header}\n|---|${'-'.repeat(300)}|\n${rows}\n| mount disk | 4 |\n`;
    expect(choose(['mount', 'disk'], [text], 200)).toEqual([
      '| mount disk | 4 |',
      `${header}\n|---|${'-'.repeat(300)}|`,
    ]);
  });

  it('quotes a sentence of two sections once', () => {
    const same = 'The disk of the ship is full after forty days.';
    expect(choose(['disk', 'ship'], [same, same])).toEqual([same]);
  });

  it('quotes the header of a table only with a row below it', () => {
    const table = `| mount disk |\n|---|\n| ${'one '.repeat(40)}|\n| ${'two '.repeat(40)}|`;
    const text = `${table}\n\n${FILLER.repeat(9)}`;
    expect(choose(['mount', 'disk'], [text], 70)).toEqual([`| mount disk |\n|---|\n| ${'one '.repeat(40)}|`]);
  });

  it('does not quote the header of a table without rows', () => {
    const text = `The disk is full.\n\n${FILLER.repeat(9)}\n\n| mount disk |\n|---|\n\n${FILLER.repeat(9)}`;
    expect(choose(['mount', 'disk'], [text], 35)).toEqual(['The disk is full.']);
  });

  it('leaves out the units that were shown, but repeats the header of a table', () => {
    const text = '| disk | size |\n|---|---|\n| old disk | 4 |\n| new disk | 5 |\n\nThe disk is full. Go on.';
    const part = aPart(['disk'], [text]);
    const sections = part.sections.map((section) => ({
      ...section,
      units: section.units.map((unit, at) => ({ ...unit, isSeen: at < 2 || at === 3 })),
    }));
    expect(textsOf([text], [{ ...part, sections }])).toEqual([
      '| disk | size |\n|---|---|',
      '| new disk | 5 |',
      'Go on.',
    ]);
  });

  it('does not add lines of code that were shown to complete a block', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `const value${i} = read(${i}, 'a file');`);
    const text = `\`\`\`js\nmount(disk);\n\n${lines.join('\n')}\n\`\`\``;
    const part = aPart(['mount', 'disk'], [text]);
    const sections = part.sections.map((section) => ({
      ...section,
      units: section.units.map((unit, at) => ({ ...unit, isSeen: at > 0 })),
    }));
    expect(textsOf([text], [{ ...part, sections }])).toEqual(['```js\nmount(disk);']);
  });

  it('takes linear time for many backticks between blocks of code', () => {
    const text = `\`\`\`\na\n${'`'.repeat(100_000)}\n\n<!-- x -->\n\n\`\`\`\ndisk\n\`\`\`\n`;
    expect(choose(['disk'], [text])[0]).toBe('```\ndisk\n```');
  });

  it('prefers the sentence that a reranker prefers', () => {
    const text = `The disk is full. ${FILLER.repeat(9)} The disk is here. ${FILLER.repeat(9)}`;
    const part = aPart(['disk'], [text]);
    const at = part.sections[0]?.units.findIndex(({ start }) => text.startsWith('The disk is here', start));
    const spanScores = new Map([[spanKey('0.md', at ?? -1), 1]]);
    const [first = ''] = textsOf([text], [part], 40);
    const [preferred = ''] = textsOf([text], [{ ...part, spanScores }], 40);
    expect([first.includes('is full'), first.includes('is here')]).toEqual([true, false]);
    expect([preferred.includes('is full'), preferred.includes('is here')]).toEqual([false, true]);
  });

  it('gives each part of a question its share', () => {
    const disks = Array.from({ length: 40 }, (_, i) => `The disk is full on day ${i}.`).join(' ');
    const texts = [disks, 'A ship lies at a berth.'];
    const [first, second] = [aPart(['disk'], texts), aPart(['berth'], texts)];
    expect(textsOf(texts, [first, second], 150).join('\n')).toContain('A ship lies at a berth.');
  });

  it('quotes the start of a unit if none fits', () => {
    const text = `The disk ${'and the disk '.repeat(200)}`;
    const [quote = ''] = choose(['disk'], [text], 100);
    expect(text.startsWith(quote)).toBe(true);
    expect(quote.length).toBeGreaterThan(40);
  });

  it('chooses only among the named sections', () => {
    const texts = ['The disk is full.', 'The disk is here.', 'The disk is old.'];
    const chooser = budgetChooser([aPart(['disk'], texts)]);
    const idsOf = (among?: ReadonlySet<string>) => chooser(600, among).map(({ sectionId }) => sectionId);
    expect(idsOf()).toEqual(['0.md', '1.md', '2.md']);
    expect(idsOf(new Set(['1.md', '2.md']))).toEqual(['1.md', '2.md']);
    expect(idsOf(new Set())).toEqual([]);
  });

  it('spends a small budget on the first of two sections that are as good', () => {
    const part = aPart(['disk'], ['The disk is full of sand.', 'The disk is full of salt.']);
    const sections = part.sections.map((section) => ({ ...section, share: 1 }));
    const quotes = budgetChooser([{ ...part, sections }])(16);
    expect(quotes.map(({ sectionId }) => sectionId)).toEqual(['0.md']);
  });

  it('returns quotes by confidence, then by gain', () => {
    const texts = [
      `The disk is full. ${FILLER.repeat(9)}`,
      `A mole. ${FILLER.repeat(9)}`,
      'The disk of a ship.',
    ];
    const part = aPart(['disk', 'ship'], texts);
    const sections = part.sections.map((section) => ({ ...section, share: 1 }));
    const quotes = budgetChooser([{ ...part, sections }])(600);
    const ranks = quotes.map(({ confidence, gain }) => [confidence, gain]);
    expect(quotes.length).toBeGreaterThan(1);
    expect(ranks).toEqual(ranks.toSorted(([a = 0, x = 0], [b = 0, y = 0]) => b - a || y - x));
    expect(quotes[0]).toMatchObject({ sectionId: '2.md', confidence: 1 });
  });

  it('gives a part a quote that is hardly worth its tokens, if it would have none', () => {
    const long = `The berth ${'lies behind the third of the long moles of the harbour and '.repeat(12)}ends.`;
    const texts = [`A ship sails. ${FILLER}`, long];
    const parts = [aPart(['ship'], texts.slice(0, 1)), { ...aPart(['berth'], texts), confidence: 0.1 }];
    expect(textsOf(texts, parts, 900).join('\n')).toContain('third of the long moles');
  });

  it('quotes nothing without a word of the question', () => {
    expect(choose(['disk'], ['A mole.'])).toEqual([]);
  });

  it('takes whole lines of code, without overlaps, within the budget', () => {
    fc.assert(
      fc.property(someTexts, fc.integer({ min: 100, max: 800 }), (texts, tokens) => {
        const quotes = budgetChooser([aPart(['disk', 'ship'], texts)])(tokens);
        const chars = quotes.reduce((sum, { start, end }) => sum + end - start, 0);
        expect(chars).toBeLessThanOrEqual(tokens * 4 + 40);
        for (const { sectionId, start, end } of quotes) {
          const others = quotes.filter((other) => other.sectionId === sectionId && other.start > start);
          expect(others.every((other) => other.start >= end)).toBe(true);
        }
      }),
    );
  });

  it('balances the fences of quotes of whole blocks and never begins with a closing bracket', () => {
    fc.assert(
      fc.property(someTexts, (texts) => {
        for (const quote of choose(['disk', 'ship'], texts)) {
          expect((quote.match(/```/g) ?? []).length % 2).toBe(0);
          expect(quote).not.toMatch(/^\s*[\])}]/);
        }
      }),
    );
  });

  it('is the same for the same question', () => {
    fc.assert(
      fc.property(someTexts, (texts) => {
        const once = budgetChooser([aPart(['disk', 'ship'], texts)])(300);
        expect(budgetChooser([aPart(['disk', 'ship'], texts)])(300)).toEqual(once);
      }),
    );
  });
});
