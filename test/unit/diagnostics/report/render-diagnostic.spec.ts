import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageName } from '../../../../src/diagnostics/archive/diagnostic-paths.js';
import { diagnosticRecordSchema } from '../../../../src/diagnostics/record/diagnostic-record.js';
import { renderDiagnostic } from '../../../../src/diagnostics/report/render-diagnostic.js';
import {
  aDiagnosticCandidate,
  aDiagnosticHit,
  aDiagnosticRecord,
  aLeftOutCandidate,
} from '../../../support/a-diagnostic.js';

const FIXTURES = join(__dirname, '..', '..', '..', '..', 'reports', 'fixtures');

const lines = readFileSync(join(FIXTURES, 'retrieval_diagnostics.jsonl'), 'utf8').trimEnd().split('\n');
const golden = lines.map((line) => diagnosticRecordSchema.parse(JSON.parse(line)));
const cases = golden.map((record) => [record.diagnostic_id, record] as const);

describe('the golden diagnostics', () => {
  it('have one page for each record and no others', () => {
    const pages = readdirSync(FIXTURES).filter((name) => name.endsWith('.md') && name !== 'README.md');
    expect(pages.sort()).toEqual(golden.map(({ diagnostic_id }) => pageName(diagnostic_id)).sort());
  });

  it('contain exactly the fields of the schema', () => {
    expect(golden.map((record) => JSON.stringify(record))).toEqual(lines);
  });

  it.each(cases)('render %s as its page', (id, record) => {
    expect(renderDiagnostic(record)).toBe(readFileSync(join(FIXTURES, pageName(id)), 'utf8'));
  });

  it.each(cases)('have counts in %s that add up', (_, { counts, results }) => {
    const { dropped, dedupe, not_returned } = counts;
    const sum = (parts: Record<string, number>): number => Object.values(parts).reduce((a, b) => a + b, 0);
    const filtered = counts.candidates_initial - dropped.scope_mismatch - dropped.veto;
    expect(counts.candidates_post_filter).toBe(filtered);
    expect(sum(dedupe)).toBe(dropped.dedupe);
    expect(counts.candidates_post_dedupe).toBe(filtered - dropped.dedupe);
    expect(counts.returned).toBe(counts.candidates_post_dedupe - sum(not_returned));
    expect(counts.returned).toBe(results.length);
  });
});

describe('renderDiagnostic', () => {
  it('begins with the lines of the template', () => {
    const page = renderDiagnostic(
      aDiagnosticRecord({ otel: { trace_id: 'aa', span_id: 'bb' }, scope: { doc_tag: 'guides' } }),
    );
    expect(page.slice(0, page.indexOf('\n\n## Query'))).toBe(`\
# Retrieval Diagnostics — 11111111-1111-4111-8111-111111111111

- timestamp: 2026-01-01T00:00:00.000Z
- transport: stdio
- tool: kb.search
- session_id: session
- trace: aa/bb
- scope: project_id=project env=development doc_tag=guides

## Timings (ms)
- bm25: 1.25
- vector_search: 0.50
- fusion: 0.25
- rerank: 0.00
- graph_expansion: 0.00
- total: 3.50

## Counts
- candidates_initial: 1
- candidates_post_filter: 1
- candidates_post_dedupe: 1
- returned: 1
- dropped: dedupe=0 veto=0 scope_mismatch=0

## Top Results
| rank | chunk_id | doc_tag | source | fused | rerank | graph | token_count |
|---:|---|---|---|---:|---:|---:|---:|
| 1 | guide.md#use | guides | hybrid | 0.7500 | – | 0.0000 | 120 |

## Budgets
- response_bytes: 900
- tokens_estimate: 225
- partial: false
- limit_reason: none`);
  });

  it('shows the ten best results and the number of the others', () => {
    const results = Array.from({ length: 12 }, (_, i) => aDiagnosticCandidate({ rank: i + 1 }));
    const page = renderDiagnostic(aDiagnosticRecord({ results }));
    expect(page).toContain('| 10 | guide.md#use | guides | hybrid |');
    expect(page).not.toContain('| 11 |');
    expect(page).toContain('2 more are in the record.');
  });

  it('shows the fate of sections that were not returned, and the sections listed instead', () => {
    const left_out = [aLeftOutCandidate({ rank: 4, fate: 'other_page' })];
    const pre_dedupe = [aDiagnosticHit({ rank: 7, fate: 'near_duplicate', instead: 'b.md#b' })];
    const page = renderDiagnostic(aDiagnosticRecord({ left_out, pre_dedupe }));
    expect(page).toContain('## Left Out\n');
    expect(page).toContain('| 4 | guide.md#use | guides | 0.7500 | other_page | – |');
    expect(page).toContain('## Before Dedupe\n');
    expect(page).toContain('| 7 | guide.md#use | guides | 0.7500 | near_duplicate | b.md#b |');
  });

  it('explains the rank of a section', () => {
    const explain = { rrf_field_contributions: { words: 0.5, graph: 0.1 }, graph_path: ['a.md', 'b.md'] };
    const page = renderDiagnostic(aDiagnosticRecord({ results: [aDiagnosticCandidate({ explain })] }));
    expect(page).toContain('| 7.5000 | 0.5000 | words=0.5000 graph=0.1000 | a.md → b.md |');
  });

  it('names the error and the degraded parts', () => {
    const error = { code: 'TIMEOUT', reason: 'deadline', message: null };
    const page = renderDiagnostic(aDiagnosticRecord({ error, degraded: ['graph'] }));
    expect(page).toContain('## Error\n- code: TIMEOUT\n- reason: deadline\n- message: null\n');
    expect(page).toContain('## Degraded\n- graph\n');
  });

  it.each([
    ['a|b', 'a\\|b'],
    ['a\nb\r\nc', 'a b c'],
    ['a\u2028b\u0000c', 'a b c'],
    ['`a`', '\\`a\\`'],
    ['a\\|b', 'a\\\\\\|b'],
    ['<script>alert(1)</script>', '\\<script>alert(1)\\</script>'],
    ['&lt;b', '\\&lt;b'],
    ['![a](javascript:b)', '!\\[a](javascript:b)'],
    ['*a* ~b~ _c_ d_e', '\\*a\\* \\~b\\~ \\_c\\_ d_e'],
    ['a\u202eb', 'a b'],
    ['überall/日本.md#x', 'überall/日本.md#x'],
  ])('renders %j as one cell that shows the text itself', (chunk_id, shown) => {
    const page = renderDiagnostic(aDiagnosticRecord({ results: [aDiagnosticCandidate({ chunk_id })] }));
    expect(page).toContain(`\n| 1 | ${shown} | guides | hybrid | 0.7500 |`);
  });

  it('starts no line with text from the record', () => {
    const page = renderDiagnostic(
      aDiagnosticRecord({ session_id: 'a\n# b', request: { 'c\n# d': 'e\n# f' }, degraded: ['g\n# h'] }),
    );
    expect(page.match(/^# .*/gm)).toEqual(['# Retrieval Diagnostics — 11111111-1111-4111-8111-111111111111']);
  });
});
