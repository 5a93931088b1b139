import { readStructure, readUnits } from '../../../../src/ingest/structure/read-units.js';

/** For each unit, the text before and after it that a quote includes. */
function edgesOf(text: string): [before: string, after: string][] {
  return readUnits(text).map(({ start, end, lead, tail }) => [
    text.slice(start - lead, start),
    text.slice(end, end + tail),
  ]);
}

describe('readUnits', () => {
  it('gives an item its mark, a block its fences, a header the line below it', () => {
    expect(edgesOf('- One.\n- Two.')).toEqual([
      ['- ', ''],
      ['- ', ''],
    ]);
    expect(edgesOf('```sh\na\nb\n```\n')).toEqual([
      ['```sh\n', ''],
      ['', '\n```'],
    ]);
    expect(edgesOf('| a |\n|---|\n| b |')).toEqual([
      ['', '\n|---|'],
      ['', ''],
    ]);
  });

  it('gives the first sentence of an admonition the line above it', () => {
    expect(edgesOf('> [!WARNING]\n> Mind the tide.')).toEqual([['> [!WARNING]\n> ', '']]);
  });

  it('says what a sentence with a colon announces, or that the section ends with it', () => {
    const announced = (text: string) => readUnits(text).map(({ announcesTo }) => announcesTo);
    expect(announced('Do this:\n\n- One.\n- Two.\n\nDone.')).toEqual([2, null, null, null]);
    expect(announced('Do this:')).toEqual([0]);
  });

  it('tells blocks, closing lines and records', () => {
    const [open, close] = readUnits('```\nrun {\n  go\n}\n```').map(({ isFenced, isInBlock, isCloser }) => ({
      isFenced,
      isInBlock,
      isCloser,
    }));
    expect([open, close]).toEqual([
      { isFenced: true, isInBlock: false, isCloser: false },
      { isFenced: false, isInBlock: true, isCloser: false },
    ]);
    const record = readUnits('| f | n |\n|---|---|\n| depth | deep |\n|  | Default: 9 |');
    expect(record.map(({ isInRecord }) => isInRecord)).toEqual([false, false, true]);
  });

  it.each(['  - a:\n', '- a:\n  - b:\n', 'Type: a\n\n', '```\na\n'])(
    'is bounded for a section of nothing but %j',
    (line) => {
      const text = `Do:\n\n${line.repeat(4_000 / line.length)}`;
      const units = readUnits(text);
      expect(Math.max(...units.map(({ needs }) => needs.length))).toBeLessThanOrEqual(320);
      expect(Math.max(...units.map(({ ends }) => ends.length))).toBeLessThanOrEqual(25);
      expect(readStructure(text).length).toBeLessThan(12 * text.length);
    },
  );
});
