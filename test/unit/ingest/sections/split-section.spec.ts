import { splitSection as splitParts, type TextPiece } from '../../../../src/ingest/sections/split-section.js';

const text = (body: string) => ({ kind: 'text' as const, text: body });

const splitSection = (blocks: readonly TextPiece[]) => splitParts(blocks).map(({ text }) => text);

describe('splitSection', () => {
  it('packs blocks in order until the limit', () => {
    const [a, b, c] = ['a'.repeat(1999), 'b'.repeat(1999), 'c'];
    expect(splitSection([text(a), text(b), text(c)])).toEqual([`${a}\n\n${b}`, c]);
  });

  it.each([
    ['code', { kind: 'fence', text: '```\nmount\n```' }],
    ['a list', { kind: 'item', text: '- a disk' }],
  ] as const)('begins a part with the sentence that announces %s', (_, piece) => {
    const full = { kind: 'text', text: 'x'.repeat(3_980) } as const;
    const leadIn = { kind: 'text', text: 'Mount the disk:' } as const;
    expect(splitSection([full, leadIn, piece])).toEqual([full.text, `Mount the disk:\n\n${piece.text}`]);
  });

  it('keeps a sentence with a colon where it is if it is alone, or if what follows does not fit beside it', () => {
    const leadIn = { kind: 'text', text: `${'x'.repeat(3_990)}:` } as const;
    const code = { kind: 'fence', text: `\`\`\`\n${'y'.repeat(3_980)}\n\`\`\`` } as const;
    const before = { kind: 'text', text: 'Before.' } as const;
    expect(splitSection([leadIn, { kind: 'text', text: 'After it.' }])).toEqual([leadIn.text, 'After it.']);
    const short = { kind: 'text', text: 'Mount the disk:' } as const;
    expect(splitSection([before, short, code])).toEqual(['Before.\n\nMount the disk:', code.text]);
  });

  it('puts list items on consecutive lines', () => {
    expect(splitSection([text('a'), { kind: 'item', text: '- b' }, { kind: 'item', text: '- c' }])).toEqual([
      'a\n\n- b\n- c',
    ]);
  });

  it('keeps the indentation of code and drops blank text', () => {
    expect(splitSection([text(' \n'), { kind: 'fence', text: '    a\n' }])).toEqual(['    a']);
  });

  it('splits a table between rows and repeats its header', () => {
    const row = `| ${'x'.repeat(1500)} |`;
    expect(splitSection([{ kind: 'table', text: `| h |\n|---|\n${row}\n${row}\n${row}` }])).toEqual([
      `| h |\n|---|\n${row}\n${row}`,
      `| h |\n|---|\n${row}`,
    ]);
  });

  it('splits a fence between lines into complete fences', () => {
    const line = 'x'.repeat(1500);
    expect(splitSection([{ kind: 'fence', text: `~~~js\n${line}\n\n${line}\n${line}\n~~~` }])).toEqual([
      `~~~js\n${line}\n\n${line}\n~~~`,
      `~~~js\n${line}\n~~~`,
    ]);
  });

  it.each([
    ['a paragraph', `${'a'.repeat(2500)}\n\n${'b. '.repeat(900)}`, 2500],
    ['a sentence', `${'a'.repeat(2500)}. ${'b '.repeat(900)}`, 2501],
    ['a sentence without spaces', `${'漢'.repeat(2500)}。${'字'.repeat(1800)}`, 2501],
    ['a word', `${'a'.repeat(2500)} ${'b'.repeat(1800)}`, 2500],
    ['nothing', 'a'.repeat(4300), 4000],
    ['half a character', `a${'😀'.repeat(2100)}`, 3999],
  ])('splits long text at the end of %s', (_what, long, length) => {
    const parts = splitSection([text(long)]);
    expect(parts[0]).toHaveLength(length);
    expect(parts.join('').replace(/\s/g, '')).toBe(long.replace(/\s/g, ''));
  });

  it('splits five megabytes on one line', () => {
    expect(splitSection([text('a'.repeat(5_000_000))])).toHaveLength(1250);
  });
});
