import { reportLines, shortReportLines, watchLine } from '../../../../src/cli/reports/report-lines.js';
import type { IngestReport } from '../../../../src/ingest/ingest-corpus.js';
import { missingText } from '../../../../src/ingest/missing-text.js';

const aReport = (overrides: Partial<IngestReport> = {}): IngestReport => ({
  documents: 2,
  sections: 7,
  parsed: 1,
  unchanged: 1,
  removed: 0,
  limited: 0,
  resumed: 0,
  skipped: [],
  unread: [],
  ignored: 0,
  remarks: [],
  taxonomy: [],
  generation: 'index:1',
  graph: { nodes: {}, edges: {}, links: 0, unresolved: 0, unread: {}, examples: [] },
  ...overrides,
});

const PLACES = { file: 'a.sqlite', listing: 'pith index "/docs"' };
const IN_FILE = { file: 'a.sqlite', engines: [] };

describe('reportLines', () => {
  it('counts the documents for some groups', () => {
    expect(reportLines(aReport({ limited: 2 }), IN_FILE, 1)).toContain('Only for some groups: 2 documents');
  });

  it('reports the content of the index and the work of the run', () => {
    expect(reportLines(aReport(), IN_FILE, 1.26)).toEqual([
      '2 documents, 7 sections in a.sqlite',
      '1 parsed, 1 unchanged, 0 removed; 1.3 s',
      'Graph: 0 links between pages, 0 entities, 0 mentions',
    ]);
  });

  it('counts unread files by extension, with advice for those that can be converted', () => {
    const unread = [
      { extension: '.org', files: 3, advice: 'convert it' },
      ...['.png', '.ts', '.a', '.b', '.c', '.d', '.e', '.f', '.g'].map((extension, i) => {
        return { extension, files: 10 - i, advice: null };
      }),
      { extension: '', files: 1, advice: null },
    ];
    expect(reportLines(aReport({ unread, ignored: 2 }), IN_FILE, 0).slice(3)).toEqual([
      '2 files or folders ignored by .gitignore or .ignore (--no-ignore indexes them)',
      '58 files in unsupported formats:',
      '  3 .org: convert it',
      '  10 .png, 9 .ts, 8 .a, 7 .b, 6 .c, 5 .d, 4 .e, 3 .f, 2 more kinds',
      '  documentation in code is read if `include` names it: **/*.ts',
    ]);
  });

  it('names all formats of code that `include` would read', () => {
    const unread = ['.ts', '.py', '.xml'].map((extension) => ({ extension, files: 1, advice: null }));
    expect(reportLines(aReport({ unread }), IN_FILE, 0).at(-1)).toBe(
      '  documentation in code is read if `include` names it: **/*.{py,ts}',
    );
  });

  it('counts one ignored file or folder', () => {
    expect(reportLines(aReport({ ignored: 1 }), IN_FILE, 0)).toContain(
      '1 file or folder ignored by .gitignore or .ignore (--no-ignore indexes them)',
    );
  });

  it('lists the keys of the taxonomy, and those with too many values', () => {
    const taxonomy = [
      { key: 'id', values: 513 },
      { key: 'language', values: 1 },
    ];
    expect(reportLines(aReport({ taxonomy }), IN_FILE, 0).slice(3)).toEqual([
      'Taxonomy: id (513 values), language (1 value)',
      '  id: 513 values; agents see the first 512',
    ]);
  });

  it('reports keys beyond those that agents see', () => {
    const taxonomy = Array.from({ length: 65 }, (_, i) => ({ key: `k${100 + i}`, values: 1 }));
    const lines = reportLines(aReport({ taxonomy }), IN_FILE, 0).slice(3);
    expect(lines[0]).toMatch(/, k163 \(1 value\)$/);
    expect(lines[1]).toBe('  65 keys; agents see the first 64, declared keys first');
  });

  it('lists remarks on indexed files', () => {
    const remarks = [{ path: 'a.md:3', reason: 'metadata: no', isProblem: true }];
    expect(reportLines(aReport({ remarks }), IN_FILE, 0).slice(3)).toEqual([
      '1 remark:',
      '  a.md:3: metadata: no',
    ]);
  });

  it('counts links, and lists some dead ones', () => {
    const graph = {
      nodes: { Entity: 1 },
      edges: { MENTIONS: 2 },
      links: 4,
      unresolved: 7,
      unread: { '{{< ref >}}': 2, 'xref:': 1 },
      examples: ['1', '2', '3', '4', '5', '6'].map((name) => `a.md: ${name}.md`),
    };
    expect(reportLines(aReport({ graph }), IN_FILE, 0).slice(2)).toEqual([
      'Graph: 4 links between pages, 1 entity, 2 mentions',
      '7 links with no target page or heading in this corpus, such as:',
      ...['1', '2', '3', '4', '5'].map((name) => `  a.md: ${name}.md`),
      '3 links not understood: {{< ref >}} (2), xref: (1)',
    ]);
  });

  it('uses the singular for one', () => {
    expect(reportLines(aReport({ documents: 1, sections: 1 }), IN_FILE, 0)[0]).toBe(
      '1 document, 1 section in a.sqlite',
    );
  });

  it('counts files reused from an unfinished run', () => {
    expect(reportLines(aReport({ resumed: 3 }), IN_FILE, 0)[1]).toContain('3 reused');
  });

  it('lists every skipped file with its reason', () => {
    const skipped = [{ kind: 'skipped' as const, path: 'a.md:3', reason: 'bad YAML', isProblem: true }];
    expect(reportLines(aReport({ skipped }), IN_FILE, 0).slice(3)).toEqual([
      '1 file skipped:',
      '  a.md:3: bad YAML',
    ]);
  });

  it('lists all problems, and the first of many other files', () => {
    const empty = Array.from({ length: 12 }, (_, i) => ({
      kind: 'skipped' as const,
      path: `${i}.md`,
      reason: 'it has no text',
      isProblem: false,
    }));
    const bad = { kind: 'skipped' as const, path: 'z.md:3', reason: 'bad YAML', isProblem: true };
    const lines = reportLines(aReport({ skipped: [...empty, bad] }), IN_FILE, 0).slice(3);
    expect(lines).toHaveLength(8);
    expect(lines[0]).toBe('13 files skipped:');
    expect(lines[1]).toBe('  z.md:3: bad YAML');
    expect(lines.slice(-2)).toEqual(['  4.md: it has no text', '  and 7 more: it has no text']);
  });

  it('says first that many pages have no text', () => {
    const [missing] = missingText(2, 100);
    const other = { path: 'a.md:1', reason: 'bad YAML', isProblem: true };
    const report = aReport({ remarks: [other, ...(missing ? [missing] : [])] });
    const line = '2 of 100 pages: no text was found in them, so they are not in the index';
    expect(reportLines(report, IN_FILE, 0)[0]).toBe(line);
    expect(reportLines(report, IN_FILE, 0).slice(4)).toEqual(['1 remark:', '  a.md:1: bad YAML']);
    expect(watchLine(report, '1 change', 0)).toContain(`${line} and 1 more problem`);
  });

  it('lists the filled engines', () => {
    const places = { ...IN_FILE, engines: ['Qdrant at http://127.0.0.1:6333', 'Neo4j at bolt://db:7687'] };
    expect(reportLines(aReport(), places, 0)[1]).toBe(
      'Published to: Qdrant at http://127.0.0.1:6333, Neo4j at bolt://db:7687',
    );
  });
});

describe('shortReportLines', () => {
  it('names unread kinds and skipped files, and how to list all of them', () => {
    const unread = [
      { extension: '.doc', files: 1, advice: 'save as .docx' },
      { extension: '.png', files: 9, advice: null },
    ];
    const skipped = [{ kind: 'skipped', path: 'a.docx', reason: 'damaged', isProblem: true }] as const;
    expect(shortReportLines(aReport({ unread, skipped }), { ...PLACES, shown: [] }, 0)).toEqual([
      '2 documents, 7 sections in a.sqlite',
      '1 parsed, 1 unchanged, 0 removed; 0.0 s',
      '10 files in unsupported formats:',
      '  1 .doc: save as .docx',
      '  9 .png',
      '1 file skipped or with remarks:',
      '  a.docx: damaged',
      'To list all of them: pith index "/docs"',
    ]);
  });

  it('leaves out the files that the lines of their source tell, and names the first five others', () => {
    const png = { extension: '.png', advice: null };
    const files = ['hb/a.docx', '1.md', '2.md', '3.md', '4.md', '5.md', '6.docx'];
    const skipped = files.map((path) => {
      const isProblem = path.endsWith('.docx');
      return { kind: 'skipped' as const, path, reason: isProblem ? 'damaged' : 'it is empty', isProblem };
    });
    const left = { skipped: 1, examples: [], unread: [{ ...png, files: 3 }] };
    const shown = [{ name: 'hb', left_out: left }];
    const report = aReport({ skipped, unread: [{ ...png, files: 5 }] });
    expect(shortReportLines(report, { ...PLACES, shown }, 0).slice(2)).toEqual([
      '2 files in unsupported formats:',
      '  2 .png',
      '6 files skipped or with remarks:',
      '  6.docx: damaged',
      '  1.md: it is empty',
      '  2.md: it is empty',
      '  3.md: it is empty',
      '  4.md: it is empty',
      '  and 1 more',
      'To list all of them: pith index "/docs"',
    ]);
  });
});

describe('watchLine', () => {
  it('reports the changed files, the work and the first problem in one line', () => {
    const remarks = [
      { path: 'a.md:3', reason: 'header partly read', isProblem: true },
      { path: 'b.md:1', reason: 'header partly read', isProblem: true },
    ];
    expect(watchLine(aReport(), 'a.md', 0.21)).toBe('a.md: 1 parsed, 1 unchanged, 0 removed; 0.2 s');
    expect(watchLine(aReport({ remarks }), 'a.md', 0)).toBe(
      'a.md: 1 parsed, 1 unchanged, 0 removed; 0.0 s; a.md:3: header partly read and 1 more problem',
    );
  });

  it('is null if nothing changed', () => {
    expect(watchLine(aReport({ parsed: 0 }), null, 0)).toBeNull();
    expect(watchLine(aReport(), null, 0)).toMatch(/^Changes: 1 parsed/);
  });
});
