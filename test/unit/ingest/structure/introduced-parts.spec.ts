import { Layout } from '../../../../src/ingest/structure/layout.js';
import { announcedEnds, quotableEnds } from '../../../../src/ingest/structure/needed-units.js';
import { splitUnits } from '../../../../src/ingest/structure/split-units.js';

const layoutOf = (text: string): Layout => new Layout({ text, units: splitUnits(text) });

/** The last words of the parts that the first sentence announces. */
const partsOf = (text: string): string[] => {
  const layout = layoutOf(text);
  return announcedEnds(layout, 0).map((end) => layout.text(end));
};

describe('announcedEnds', () => {
  it.each<[string, string, string[]]>([
    ['the items of a list', 'Do this:\n\n- One. Two.\n- three\n\nDone.', ['Two.', 'three']],
    ['the items of a list inside an item', 'Do this:\n- a\n  - b\n- c\n', ['a', 'b', 'c']],
    ['the rows of a table, the first with the header', 'See:\n\n|A|\n|-|\n|b|\n|c|\n', ['|b|', '|c|']],
    ['the statements of a block', 'Run:\n\n```\na {\n  b\n  c\n}\nd\n```\nDone.', ['c\n}', 'd']],
    ['no imports or decorators alone', 'Run:\n\n```\nimport a\n@b\nc\nd\n```\n', ['c', 'd']],
    ['no half of a statement', 'Run:\n\n```\nif a:\n  b\nelse:\n  c\nd\n```\n', ['c', 'd']],
    ['no key without its list', 'Set:\n\n```yaml\na:\n- b\n- c\nd: e\n```\n', ['- c', 'd: e']],
    ['no comments alone', 'Run:\n\n```sh\n# First\na\n# Then\nb\n```\n', ['a', 'b']],
    ['the next sentence', 'In short:\n\nIt works. It does.', ['It works.']],
    ['a short block below a sentence without a colon', 'It runs.\n\n```\na\nb\n```\n', ['b']],
    ['what is in a tab', 'Run:\n\n/// tab | Linux\n\n<div class="t">\n\n```\na\n```\n', ['a']],
  ])('finds %s', (_, text, parts) => {
    expect(partsOf(text)).toEqual(parts);
  });

  it.each([
    ['no colon is at its end', 'Do this.\n\n- one'],
    ['a long block follows a sentence without one', `It runs.\n\n\`\`\`\n${'x'.repeat(200)}\n\`\`\`\n`],
    ['an include follows', 'Like this:\n\n{* ../a.py *}\n\nIt works.'],
    ['an image follows', 'Like this:\n\n![A chart](a.png)\n\nIt works.'],
    ['nothing follows', 'Like this:'],
  ])('finds nothing if %s', (_, text) => {
    expect(partsOf(text)).toEqual([]);
  });
});

describe('quotableEnds', () => {
  const endsOf = (text: string): number[] => {
    const layout = layoutOf(text);
    return quotableEnds(layout, 0, announcedEnds(layout, 0));
  };

  it('leaves out parts of a list that are too long, and keeps a longer block of code whole', () => {
    const line = 'x'.repeat(300);
    expect(endsOf(`Do:\n\n- a\n- ${line}\n- ${line}`)).toEqual([1, 2]);
    expect(endsOf(`Do:\n\n\`\`\`\n${line}\n${line}\n${line}\n\`\`\`\n`)).toEqual([1, 3]);
  });
});
