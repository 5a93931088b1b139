import { growingProgress } from '../../../../../src/work/corpora/indexing/ingest.service.js';

describe('growingProgress', () => {
  it('adds the phases of a run, so that the number only grows', () => {
    const seen: unknown[] = [];
    const note = growingProgress(({ progress, total, message }) => seen.push([progress, total, message]));
    note({ verb: 'indexing', noun: 'files', done: 0, total: 2 });
    note({ verb: 'indexing', noun: 'files', done: 2, total: 2 });
    note({ verb: 'publishing', noun: 'steps', done: 1, total: 7 });
    note({ verb: 'filling Qdrant', noun: 'items', done: 3, total: 9 });
    expect(seen).toEqual([
      [0, 2, 'indexing: 0 of 2 files'],
      [2, 2, 'indexing: 2 of 2 files'],
      [3, 9, 'publishing: 1 of 7 steps'],
      [6, 12, 'filling Qdrant: 3 of 9 items'],
    ]);
  });
});
