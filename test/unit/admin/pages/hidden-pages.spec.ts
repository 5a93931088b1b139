import { hiddenPages } from '../../../../src/admin/pages/hidden-pages.js';

describe('hiddenPages', () => {
  const none = { offered: [], needsApprovals: false, hasLedger: false, hasProviders: false };

  it('are the pages of all features that are off', () => {
    expect([...hiddenPages(none)]).toEqual([
      ...['/admin/approvals', '/admin/runs', '/admin/claims', '/admin/corpora', '/admin/pointers'],
      '/admin/providers',
    ]);
  });

  it.each([
    [{ needsApprovals: true }, '/admin/approvals'],
    [{ hasLedger: true }, '/admin/runs'],
    [{ hasProviders: true }, '/admin/providers'],
    [{ offered: ['claim'] }, '/admin/claims'],
    [{ offered: ['knowledge'] }, '/admin/corpora'],
    [{ offered: ['substrate'] }, '/admin/pointers'],
  ] as const)('do not contain the page of a feature that is on: %j', (on, place) => {
    expect(hiddenPages({ ...none, ...on }).has(place)).toBe(false);
    expect(hiddenPages({ ...none, ...on }).size).toBe(5);
  });
});
