import { nearestPath, unknownValues } from '../../../src/scope/unknown-values.js';
import { anIndex, type TestIndex } from '../../support/an-index.js';
import { aCall, aScope } from '../../support/builders.js';

const FILES = {
  'guides/harbour/crane.md': '# Cranes\n\nA crane lifts a ship.\n',
  'guides/quay.md': '# Quays\n\nA quay is long.\n',
  'secret/treasury.md': '# Treasury\n\nGold is kept here.\n',
};
const ALL = aScope();
const GUIDES = aScope({ docTags: ['guides'] });

let docs: TestIndex;
beforeAll(async () => {
  docs = await anIndex(FILES);
});
afterAll(() => docs.remove());

const unknown = (sent: Parameters<typeof unknownValues>[2], callerScope = ALL) =>
  unknownValues({ ...aCall({ scope: callerScope }), callerScope }, docs.index, sent);

describe('unknownValues', () => {
  it.each([
    [
      'a doc_tag',
      { filters: { doc_tag: ['guidez'] } },
      'No document has the doc_tag "guidez". Nearest: "guides".',
    ],
    [
      'a doc_tag of the scope',
      { scope: { doc_tags: ['guide'] } },
      'No document has the doc_tag "guide". Nearest: "guides".',
    ],
    ['a repository', { scope: { repositories: ['nowhere'] } }, 'No document has the repository "nowhere".'],
    [
      'a folder',
      { filters: { path_prefix: 'guide/harbor/' } },
      'No path begins with "guide/harbor/". Nearest: "guides/harbour/".',
    ],
    [
      'an encoded path',
      { filters: { path_prefix: 'guides/qu%61i' } },
      'No path begins with "guides/quai". Nearest: "guides/quay.md".',
    ],
  ])('names %s that no document has, with the nearest', async (_, sent, expected) => {
    expect(await unknown(sent)).toBe(expected);
  });

  it.each([
    ['nothing was sent', {}],
    [
      'the values exist',
      { scope: { doc_tags: ['guides'] }, filters: { doc_tag: ['secret'], path_prefix: 'guides/q' } },
    ],
    ['the lists are empty', { scope: { doc_tags: [] }, filters: { doc_tag: [], path_prefix: null } }],
  ])('is empty if %s', async (_, sent) => {
    expect(await unknown(sent)).toBe('');
  });

  it('looks in the scope of the caller, not in that of the request', async () => {
    const call = { ...aCall({ scope: { docTags: ['guides'] } }), callerScope: ALL };
    expect(await unknownValues(call, docs.index, { filters: { doc_tag: ['secret'] } })).toBe('');
  });

  it('treats what the caller may not see like what does not exist', async () => {
    const [hidden, missing] = [
      await unknown({ filters: { doc_tag: ['secret'], path_prefix: 'secret/' } }, GUIDES),
      await unknown({ filters: { doc_tag: ['zzzzzz'], path_prefix: 'zzzzzz/' } }, GUIDES),
    ];
    expect(hidden.replaceAll('secret', 'zzzzzz')).toBe(missing);
    expect(
      await unknown({ filters: { doc_tag: ['secrets'], path_prefix: 'secret/treasuri' } }, GUIDES),
    ).not.toContain('Nearest');
  });

  it('does not repeat names from repositories that are not trusted', async () => {
    const call = aCall({ scope: ALL });
    const { documents } = await docs.index.documents(ALL, 0, 1);
    call.trace.untrusted = new Set(documents.map(({ repository }) => repository));
    expect(await nearestPath(call, docs.index, 'guides/key.md')).toBeNull();
  });
});

describe('nearestPath', () => {
  it('names the most similar visible path', async () => {
    expect(await nearestPath(aCall({ scope: ALL }), docs.index, 'guide/quay.md')).toBe('guides/quay.md');
  });
});
