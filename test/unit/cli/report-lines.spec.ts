import { reportLines } from '../../../src/cli/report-lines.js';
import type { IngestReport } from '../../../src/ingest/ingest.service.js';

const aReport = (overrides: Partial<IngestReport> = {}): IngestReport => ({
  documents: 2,
  sections: 7,
  parsed: 1,
  unchanged: 1,
  removed: 0,
  resumed: 0,
  skipped: [],
  generation: 'index:1',
  ...overrides,
});

describe('reportLines', () => {
  it('says what is in the index and what the run did', () => {
    expect(reportLines(aReport(), 'a.sqlite', 1.26)).toEqual([
      '2 documents, 7 sections in a.sqlite',
      '1 parsed, 1 unchanged, 0 removed; 1.3 s',
    ]);
  });

  it('counts one in the singular', () => {
    expect(reportLines(aReport({ documents: 1, sections: 1 }), 'a.sqlite', 0)[0]).toBe(
      '1 document, 1 section in a.sqlite',
    );
  });

  it('says what an unfinished run had left', () => {
    expect(reportLines(aReport({ resumed: 3 }), 'a.sqlite', 0)[1]).toContain('3 kept');
  });

  it('names every file that was skipped, where and why', () => {
    const skipped = [{ kind: 'skipped' as const, path: 'a.md:3', reason: 'bad YAML', isProblem: true }];
    expect(reportLines(aReport({ skipped }), 'a.sqlite', 0).slice(2)).toEqual([
      '1 file skipped:',
      '  a.md:3: bad YAML',
    ]);
  });
});
