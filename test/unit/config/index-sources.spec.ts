import { noteSources, readIndexSources } from '../../../src/config/index-sources.js';
import { testFolder } from '../../support/test-folder.js';

describe('noteSources', () => {
  it('notes of a source that failed where the pages are from that it still has', () => {
    const folder = testFolder();
    const index = folder.file('index.sqlite');
    const source = { name: 'handbook', repository: 'handbook', checked_at: null };
    const note = (state: string, address: string): string | undefined => {
      noteSources(index, [{ ...source, state, address, problem: state === 'failed' ? 'It is down.' : null }]);
      return readIndexSources(index)[0]?.address;
    };
    expect(note('failed', 'https://a.example/')).toBe('https://a.example/');
    expect(note('updated', 'https://b.example/')).toBe('https://b.example/');
    expect(note('failed', 'https://c.example/')).toBe('https://b.example/');
    folder.remove();
  });
});
