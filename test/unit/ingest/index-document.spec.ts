import { indexDocument } from '../../../src/ingest/index-document.js';

const RULES = { docTag: undefined, repository: 'repo', metadata: {}, declaredKeys: [] };
const idsOf = async (path: string, text: string): Promise<string[]> => {
  const bytes = Buffer.from(text);
  const file = { kind: 'file', path, absolute: `/docs/${path}`, bytes: bytes.length, mtimeMs: 0 } as const;
  const { sections } = await indexDocument({ file, bytes, rules: RULES, hash: 'h' });
  return sections.map(({ id }) => id);
};

describe('indexDocument', () => {
  it('begins every section id with the path, with slashes and backslashes unchanged', async () => {
    expect(await idsOf('guides/a\\b c.md', '# A\n\nx\n\n## B\n\ny\n')).toEqual([
      'guides/a\\b%20c.md#_preamble',
      'guides/a\\b%20c.md#b',
    ]);
  });
});
