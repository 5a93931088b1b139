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
  remarks: [],
  taxonomy: [],
  generation: 'index:1',
  graph: { nodes: {}, edges: {}, links: 0, unresolved: 0, examples: [] },
  ...overrides,
});

const IN_FILE = { file: 'a.sqlite', engines: [] };

describe('reportLines', () => {
  it('says what is in the index and what the run did', () => {
    expect(reportLines(aReport(), IN_FILE, 1.26)).toEqual([
      '2 documents, 7 sections in a.sqlite',
      '1 parsed, 1 unchanged, 0 removed; 1.3 s',
      'Graph: 0 links between pages, 0 things named in 0 places',
    ]);
  });

  it('says what documents can be told apart by, and what of it is too much', () => {
    const taxonomy = [
      { key: 'id', values: 513 },
      { key: 'language', values: 1 },
    ];
    expect(reportLines(aReport({ taxonomy }), IN_FILE, 0).slice(3)).toEqual([
      'Taxonomy: id (513 values), language (1 value)',
      '  id: 513 values are more than agents are shown: 512',
    ]);
  });

  it('says where there are more keys than agents are shown', () => {
    const taxonomy = Array.from({ length: 65 }, (_, i) => ({ key: `k${100 + i}`, values: 1 }));
    const lines = reportLines(aReport({ taxonomy }), IN_FILE, 0).slice(3);
    expect(lines[0]).toMatch(/, k163 \(1 value\)$/);
    expect(lines[1]).toBe('  65 keys are more than agents are shown: 64, declared ones first');
  });

  it('says what was left out of files that were taken', () => {
    const remarks = [{ path: 'a.md:3', reason: 'metadata: no', isProblem: true }];
    expect(reportLines(aReport({ remarks }), IN_FILE, 0).slice(3)).toEqual([
      '1 remark:',
      '  a.md:3: metadata: no',
    ]);
  });

  it('says how much is linked, and names some of the links that lead nowhere', () => {
    const graph = {
      nodes: { Entity: 1 },
      edges: { MENTIONS: 2 },
      links: 4,
      unresolved: 7,
      examples: ['1', '2', '3', '4', '5', '6'].map((name) => `a.md: ${name}.md`),
    };
    expect(reportLines(aReport({ graph }), IN_FILE, 0).slice(2)).toEqual([
      'Graph: 4 links between pages, 1 thing named in 2 places',
      '7 links to no page or heading here, such as:',
      ...['1', '2', '3', '4', '5'].map((name) => `  a.md: ${name}.md`),
    ]);
  });

  it('counts one in the singular', () => {
    expect(reportLines(aReport({ documents: 1, sections: 1 }), IN_FILE, 0)[0]).toBe(
      '1 document, 1 section in a.sqlite',
    );
  });

  it('says what an unfinished run had left', () => {
    expect(reportLines(aReport({ resumed: 3 }), IN_FILE, 0)[1]).toContain('3 kept');
  });

  it('names every file that was skipped, where and why', () => {
    const skipped = [{ kind: 'skipped' as const, path: 'a.md:3', reason: 'bad YAML', isProblem: true }];
    expect(reportLines(aReport({ skipped }), IN_FILE, 0).slice(3)).toEqual([
      '1 file skipped:',
      '  a.md:3: bad YAML',
    ]);
  });

  it('names the engines that were filled', () => {
    const places = { ...IN_FILE, engines: ['Qdrant at http://127.0.0.1:6333', 'Neo4j at bolt://db:7687'] };
    expect(reportLines(aReport(), places, 0)[1]).toBe(
      'Filled from it: Qdrant at http://127.0.0.1:6333, Neo4j at bolt://db:7687',
    );
  });
});
