import { page } from '../../../../src/admin/views/layout.js';
import { FRAME } from '../../../support/admin-parts.js';

const entriesOf = (text: string): (string | undefined)[] =>
  [...text.matchAll(/<li><a href="[^"]*"[^>]*>(\w+)<\/a>/g)].map(([, name]) => name);

describe('the navigation of the console', () => {
  const about = { title: 'Runs', place: '/admin/runs', content: '' } as const;

  it('lists the pages of a server on which every feature is on', () => {
    expect(entriesOf(page({ ...about, frame: FRAME }))).toEqual([
      ...['Retrievals', 'Gaps', 'Approvals', 'Runs', 'Claims', 'Corpora', 'Pointers', 'Policy', 'Index'],
      ...['Providers', 'Tools', 'Settings'],
    ]);
  });
});
