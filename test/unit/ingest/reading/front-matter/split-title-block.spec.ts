import { splitHeader } from '../../../../../src/ingest/reading/front-matter/split-title-block.js';

describe('splitHeader', () => {
  it.each([
    ['front matter', '---\ntitle: Sails\n---\nText', { title: 'Sails' }, 'Text', 4],
    ['a title of Pandoc', '% *Sails* and ropes\n\nText', { title: 'Sails and ropes' }, '\nText', 2],
    [
      'title, authors and date of Pandoc',
      '% Sails\n  and ropes\n% A. Author;\n  B. Author\n% 2024-05-06\n\nText',
      { title: 'Sails and ropes', author: 'A. Author; B. Author', date: '2024-05-06' },
      '\nText',
      6,
    ],
    ['a block of Pandoc without a title', '%\n% A. Author\n\nText', { author: 'A. Author' }, '\nText', 3],
    [
      'metadata of MultiMarkdown',
      'Title: Sails\nDate: 2024-05-06\nBase Header Level: 2\nSummary: Of sails\n    and ropes\n\nText',
      { title: 'Sails', date: '2024-05-06', base_header_level: '2', summary: 'Of sails and ropes' },
      '\nText',
      6,
    ],
    [
      'metadata without text',
      'Title: Sails\nDate: 2024-05-06',
      { title: 'Sails', date: '2024-05-06' },
      '',
      2,
    ],
  ])('reads %s', (_what, source, frontMatter, body, bodyLine) => {
    expect(splitHeader(source)).toMatchObject({ frontMatter, body, bodyLine, problems: [] });
  });

  it.each([
    ['a title alone', 'Title: a sentence about titles.\n\nText'],
    ['entries without a title', 'Author: A\nDate: B\n\nText'],
    ['a title in a paragraph', 'Title: the name of a ship\nis painted on its bow.\n\nText'],
    ['a percent sign in a word', '%PATH% is read first.\n\nText'],
    ['a percent sign in a paragraph', '% of ships\nthat leave at noon\n\nText'],
  ])('takes %s as text', (_what, source) => {
    expect(splitHeader(source)).toMatchObject({ frontMatter: {}, body: source, bodyLine: 1 });
  });
});
