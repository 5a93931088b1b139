import { Layout } from '../../../../src/ingest/structure/layout.js';
import { neededUnits } from '../../../../src/ingest/structure/needed-units.js';
import { splitUnits } from '../../../../src/ingest/structure/split-units.js';

/** The texts that are quoted with the unit that contains a word. */
function thoughtOf(word: string, text: string): string[] {
  const section = { text, units: splitUnits(text) };
  const textAt = (at: number): string => text.slice(section.units[at]?.start, section.units[at]?.end);
  const at = section.units.findIndex((_, i) => textAt(i).includes(word));
  return neededUnits(new Layout(section), at).map(textAt);
}

const LONG_LINE = 'x'.repeat(200);

describe('neededUnits', () => {
  it('is the unit alone for a sentence', () => {
    expect(thoughtOf('Second', 'First one. Second one. Third one.')).toEqual(['Second one.']);
  });

  it('keeps a sentence of a description with the term above it', () => {
    const text = 'Options.\n\n**`--size`**\nHow large. In bytes. At most 9.\n\nOther. Last.';
    expect(thoughtOf('At most', text)).toEqual(['**`--size`**\nHow large.', 'At most 9.']);
    expect(thoughtOf('Last', text)).toEqual(['Last.']);
    expect(thoughtOf('Two', '**Bold** one. Two.')).toEqual(['Two.']);
  });

  it('keeps a list item with the sentence above the list, if that ends with a colon', () => {
    expect(thoughtOf('two', 'Do this:\n\n- one\n- two\n')).toEqual(['Do this:', 'two']);
    expect(thoughtOf('two', 'A fleet.\n\n- one\n- two\n')).toEqual(['two']);
  });

  it('keeps a numbered step with the sentence above the steps', () => {
    expect(thoughtOf('two', 'Do this:\n\n1. one\n2. two\n')).toEqual(['Do this:', 'two']);
  });

  it('keeps an item of a list inside an item with the lead-ins of both lists', () => {
    const text = 'Do this:\n\n- First:\n  - one\n  - two\n- second\n';
    expect(thoughtOf('two', text)).toEqual(['Do this:', 'First:', 'two']);
    expect(thoughtOf('second', text)).toEqual(['Do this:', 'second']);
  });

  it('keeps a later sentence of a list item with the first', () => {
    expect(thoughtOf('Then', 'Do this:\n\n1. Stop. Wait. Then go.\n')).toEqual([
      'Do this:',
      'Stop.',
      'Then go.',
    ]);
  });

  it('keeps a table row with its header', () => {
    expect(thoughtOf('pear', '| Fruit |\n|---|\n| apple |\n| pear |\n')).toEqual(['| Fruit |', '| pear |']);
  });

  it('keeps a row without its first cell with the row that heads its group, if the group is too long', () => {
    const rows = Array.from({ length: 30 }, (_, i) => `|  | berth ${i} has deep water and a crane |`);
    const text = ['| Place | Note |', '|---|---|', '| North |  |', ...rows].join('\n');
    expect(thoughtOf('berth 20', text)).toEqual(['| Place | Note |', '| North |  |', rows[20]]);
  });

  it('keeps code with its whole block and the sentence that introduces it', () => {
    expect(thoughtOf('ship', 'Not this. Run it:\n\n```sh\ncd app\n\nnpm run ship\n```\n\nDone.')).toEqual([
      'Run it:',
      'cd app',
      'npm run ship',
    ]);
  });

  it('keeps of a long block the lines between blank lines', () => {
    const text = `Run it:\n\n\`\`\`sh\n${Array(3).fill(LONG_LINE).join('\n')}\n\ncd app\nship\n\`\`\`\n`;
    expect(thoughtOf('ship', text)).toEqual(['Run it:', 'cd app', 'ship']);
  });

  it('keeps of a very long part the statement around a line', () => {
    const other = Array(5)
      .fill(`run(${'x'.repeat(150)});`)
      .join('\n');
    const text = `\`\`\`ts\n${other}\n@Get('berths')\nlist(all) {\n  return ships;\n}\n${other}\n\`\`\`\n`;
    const statement = ["@Get('berths')", 'list(all) {', 'return ships;\n}'];
    expect(thoughtOf('@Get', text)).toEqual(statement);
    expect(thoughtOf('return', text)).toEqual(statement);
    expect(thoughtOf('list(', text)).toEqual(statement);
  });

  it('does not keep two blocks together', () => {
    expect(thoughtOf('two', '```\none\n```\n\n```\ntwo\n```\n')).toEqual(['two']);
  });
});
