import { headerAttributes } from '../../../../../src/ingest/reading/asciidoc/read-asciidoc.js';
import { splitFrontMatter } from '../../../../../src/ingest/reading/front-matter/split-front-matter.js';
import { splitHeader } from '../../../../../src/ingest/reading/front-matter/split-title-block.js';

const BLANKS = ' '.repeat(100_000);

// Each of these took minutes, or did not end, with a pattern that can match a text in several ways.
describe('long texts at the top of a file', () => {
  it.each([
    ['a title above a hundred lines without a blank one', `title: Sails\n${'a rope\n'.repeat(200)}`],
    ['blanks behind the mark of Pandoc', `%${BLANKS}\nSails`],
  ])('%s are text', (_what, text) => {
    expect(splitHeader(text)).toMatchObject({ body: text, problems: [] });
  });

  it('reads a number of TOML with blanks behind it', () => {
    const { written } = splitFrontMatter(`+++\nweight = 7.10${BLANKS}\n+++\nText`);
    expect(written).toMatchObject([{ key: 'weight', value: '7.10' }]);
  });

  it('reports JSON whose last text does not end', () => {
    const { problems } = splitFrontMatter(`{"title": ${'\\"'.repeat(50_000)}`);
    expect(problems).toEqual([{ line: 1, reason: 'front matter not read: the JSON has no end' }]);
  });

  it('reports YAML with keys in keys', () => {
    const { problems } = splitFrontMatter(`---\na:\n  ${'? '.repeat(400)}\n---\nText`);
    expect(problems).toEqual([{ line: 1, reason: 'front matter not read: nested too deeply' }]);
  });

  it('leaves out an attribute of AsciiDoc that has only blanks', () => {
    expect(headerAttributes(`:version:${BLANKS}\n:author: A. Author  \n\n= Sails`, 1).frontMatter).toEqual({
      author: 'A. Author',
    });
  });
});
