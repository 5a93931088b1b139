import {
  advised,
  factsLines,
  leftOutLines,
  placeOptions,
  stateLine,
} from '../../../../src/cli/reports/source-lines.js';
import type { SourceFacts } from '../../../../src/sources/sync-sources.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const sourceWith = (more: Partial<SourceFacts> = {}): SourceFacts => ({
  name: 'handbook',
  kind: 'git',
  address: 'https://git.example.com/handbook.git',
  repository: 'handbook',
  state: 'updated',
  pages: 2,
  changes: { added: 1, updated: 0, removed: 3, unchanged: 1 },
  revision: null,
  fetched_at: '2026-03-01T10:00:00Z',
  checked_at: '2026-03-01T11:59:00Z',
  problem: null,
  hint: null,
  refused: [],
  left_out: null,
  ...more,
});

describe('factsLines', () => {
  it('says what has changed', () => {
    expect(factsLines([sourceWith()])).toEqual([
      'handbook: updated, 2 pages (1 added, 0 updated, 3 removed, 1 unchanged)',
    ]);
  });

  it('has no counts if nothing has changed', () => {
    const changes = { added: 0, updated: 0, removed: 0, unchanged: 1 };
    expect(factsLines([sourceWith({ state: 'unchanged', changes, pages: 1 })])).toEqual([
      'handbook: unchanged, 1 page',
    ]);
  });

  it('has no pages for a folder that was not read yet', () => {
    const folder = { kind: 'folder', state: 'ready', changes: null, pages: 0, checked_at: null } as const;
    expect(factsLines([sourceWith(folder)])).toEqual(['handbook: ready']);
  });

  it('gives the problem and the advice', () => {
    const failed = sourceWith({ state: 'failed', changes: null, problem: 'It is down.', hint: 'Try again.' });
    expect(factsLines([failed])).toEqual(['handbook: failed, 2 pages', '  It is down.', '  Try again.']);
  });
});

describe('advised', () => {
  const advice = (hint: string, options?: string) => advised({ hint }, options).hint;

  it('completes commands for a list that is elsewhere', () => {
    const options = placeOptions('/srv/my docs', 'index.sqlite');
    expect(options).toBe(' --folder "/srv/my docs" --index index.sqlite');
    expect(advice('If it is gone: pith sync hb --accept-removal', options)).toBe(
      `If it is gone: pith sync hb --accept-removal${options}`,
    );
    expect(advice('Take it out of the list: pith remove hb', placeOptions(process.cwd(), undefined))).toBe(
      'Take it out of the list: pith remove hb',
    );
  });

  it('names the same command if there may be no list', () => {
    expect(advice('If it is gone: pith sync hb --accept-removal')).toBe(
      'If it is gone: the same command with --accept-removal',
    );
    expect(advice('Take it out of the list: pith remove hb')).toBe(
      'Take it out of the list, or out of the command.',
    );
  });
});

describe('leftOutLines', () => {
  it('says what the index has not of a source', () => {
    const unread = [
      { extension: '.doc', files: 1, advice: 'save as .docx' },
      { extension: '.xml', files: 2, advice: null },
      { extension: '', files: 1, advice: null },
    ];
    const examples = [{ path: 'cut.pdf', reason: 'it is damaged' }];
    expect(leftOutLines({ left_out: { skipped: 7, examples, unread } })).toEqual([
      '  7 files skipped:',
      '    cut.pdf: it is damaged',
      '    and 6 more',
      '  4 files in unsupported formats:',
      '    1 .doc: save as .docx',
      '    2 .xml, 1 without an extension',
    ]);
  });

  it('is empty for a whole source, and for one that was not indexed yet', () => {
    expect(leftOutLines({ left_out: { skipped: 0, examples: [], unread: [] } })).toEqual([]);
    expect(leftOutLines({ left_out: null })).toEqual([]);
  });
});

describe('stateLine', () => {
  it('gives place, state and age', () => {
    expect(stateLine(sourceWith({ state: 'ready' }), NOON)).toEqual([
      'handbook (git https://git.example.com/handbook.git)',
      '  ready, 2 pages, checked 1 minute ago, changed 2 hours ago',
    ]);
  });

  it('says of a folder when it was read', () => {
    expect(stateLine(sourceWith({ kind: 'folder', state: 'ready' }), NOON)[1]).toBe(
      '  ready, 2 pages, read 1 minute ago',
    );
  });
});
