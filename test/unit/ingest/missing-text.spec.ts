import { isLost, isMissingText, lostPages, missingText } from '../../../src/ingest/missing-text.js';

describe('pages that a rebuild has lost', () => {
  it('are told apart from pages without text, which an index run may allow', () => {
    const remarks = [lostPages(2, 4, 'legal'), ...missingText(2, 4)];
    expect(remarks.map(isLost)).toEqual([true, false]);
    expect(remarks.map(isMissingText)).toEqual([true, true]);
  });
});
