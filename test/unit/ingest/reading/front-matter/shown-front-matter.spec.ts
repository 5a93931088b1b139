import { indexDocument } from '../../../../../src/ingest/index-document.js';

const textsOf = async (text: string, path = 'page.md'): Promise<string[]> => {
  const bytes = Buffer.from(text);
  const file = { kind: 'file', path, absolute: `/${path}`, bytes: bytes.length, mtimeMs: 0 } as const;
  const rules = { docTag: undefined, repository: 'repo', metadata: {}, declaredKeys: [] };
  const { sections } = await indexDocument({ file, bytes, rules, hash: 'h' });
  return sections.map((section) => section.text);
};

const HEAD = 'head:\n  - [meta, { name: description, content: For engines }]';

describe('a page with front matter only', () => {
  it.each([
    ['its description', 'title: Sails\ndescription: How sails are set\nweight: 3', ['How sails are set']],
    ['its title, if nothing else is shown', 'title: Sails\nlayout: list', ['Sails']],
    [
      'the texts of a home page',
      'layout: home\nhero:\n  name: Harbour\n  tagline: Ships in order\n  image: { src: /x.svg }\nfeatures:\n  - title: Fast\n    details: It moors at once',
      ['Harbour\n\nShips in order\n\nFast\n\nIt moors at once'],
    ],
    [
      'its description and its operation of an API',
      'title: Moor\ndescription: Moors a ship\nopenapi: spec.json post /berths/{id}',
      ['Moors a ship\n\n`post /berths/{id}`'],
    ],
    ['no tags for browsers', `title: Sails\n${HEAD}`, ['Sails']],
  ])('has %s as its text', async (_what, yaml, texts) => {
    expect(await textsOf(`---\n${yaml}\n---\n\n`)).toEqual(texts);
  });

  it('has no text if its front matter has none', async () => {
    expect(await textsOf('---\nweight: 3\nicon: ship\n---\n')).toEqual([]);
  });

  it('is read the same in MDX', async () => {
    expect(await textsOf('---\ntitle: A\nsummary: Of sails\n---\n<Spec />\n', 'a.mdx')).toEqual(['Of sails']);
  });
});

describe('a page with front matter and text', () => {
  it.each([
    [
      'VitePress',
      'layout: home\nhero:\n  name: Harbour\n  tagline: Ships in order\nfeatures:\n  - title: Fast',
    ],
    [
      'VuePress',
      'home: true\ntitle: Start\nheroText: none\ntagline: Ships in order\nfeatures:\n  - title: Fast',
    ],
  ])('shows the texts of a home page of %s above it', async (_, yaml) => {
    const [first, second] = await textsOf(`---\n${yaml}\n---\n\n## Berths\n\nA berth is free.`);
    expect([first, second]).toEqual([expect.stringMatching(/Ships in order\n\nFast$/), 'A berth is free.']);
  });

  it('does not show the tags for browsers of a home page', async () => {
    const [first] = await textsOf(`---\nlayout: home\nhero: { name: Harbour }\n${HEAD}\n---\n\n## Berths\n`);
    expect(first).toBe('Harbour');
  });

  it('shows no settings of a home page of Jekyll', async () => {
    const yaml = 'layout: home\nauthor: { name: Ida }\nseo: { description: For engines }';
    expect(await textsOf(`---\n${yaml}\n---\n\nA berth is free.`)).toEqual(['A berth is free.']);
  });

  it('shows its description only above an operation of an API', async () => {
    const text = '\n---\n\nThe berth must be free.';
    expect(await textsOf(`---\ndescription: Moors a ship${text}`)).toEqual(['The berth must be free.']);
    expect(await textsOf(`---\ndescription: Moors a ship\nopenapi: POST /berths${text}`)).toEqual([
      'Moors a ship\n\n`POST /berths`\n\nThe berth must be free.',
    ]);
  });
});
