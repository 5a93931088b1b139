import { findHidden } from '../../../src/core/ports/section-index.port.js';
import { boundId, pagePath } from '../../../src/core/section-id.js';
import { aCandidate, aScope, FixedIndex } from '../../support/builders.js';

const index = new FixedIndex([
  aCandidate({ section: { id: 'open.md' }, document: { path: 'open.md' } }),
  aCandidate({ section: { id: 'pay.md' }, document: { path: 'pay.md', allow: [['hr']] } }),
  aCandidate({ section: { id: 'a%20b.md' }, document: { path: 'a b.md', docTag: 'hr' } }),
]);
const IDS = ['open.md#use', 'pay.md#bands', 'pay.md', 'a%20b.md#x', 'gone.md#y'];

describe('findHidden', () => {
  it.each([
    ['nothing for a caller without limits', aScope({ groups: null }), []],
    ['documents of other groups', aScope({ groups: [] }), ['pay.md']],
    ['nothing for a member', aScope({ groups: ['hr'] }), []],
    ['documents of other tags', aScope({ docTags: ['guides'], groups: ['hr'] }), ['a%20b.md']],
  ])('finds %s', async (_, scope, hidden) => {
    expect([...(await findHidden(index, scope, IDS))]).toEqual(hidden);
  });

  it('finds a document although another one is named as its ids begin', async () => {
    const page = (path: string, allow: string[][]) => aCandidate({ document: { path, allow } });
    const pages = [page('a%20b.md', []), page('a b.md', [['hr']])];
    // As indexes do: a path gives the first section.
    const sections = async (_: unknown, ids: readonly string[]) => ({
      generation: 'index:1',
      sections: pages.filter(({ document }) => ids.includes(document.path)),
    });
    expect([...(await findHidden({ sections }, aScope({ groups: [] }), ['a%20b.md#two']))]).toContain(
      'a%20b.md',
    );
  });

  it('finds documents whose path is longer than an id', async () => {
    const path = `${'long/'.repeat(250)}pay.md`;
    const id = boundId(`${path}#bands`);
    const long = new FixedIndex([aCandidate({ section: { id }, document: { path, allow: [['hr']] } })]);
    const hidden = await findHidden(long, aScope({ groups: [] }), [id]);
    expect(hidden).toContain(pagePath(id));
  });
});
