import { diagnosticLogLine } from '../../../../src/diagnostics/archive/diagnostic-log-line.js';
import { aDiagnosticCandidate, aDiagnosticRecord } from '../../../support/a-diagnostic.js';

const PATHS = { jsonl: '/r/2026-01-01/retrieval_diagnostics.jsonl', markdown: '/r/2026-01-01/1.md' };

describe('diagnosticLogLine', () => {
  it('names ids, counters and files', () => {
    const record = aDiagnosticRecord({
      otel: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
      correlation_id: 'req-7',
      counts: { candidates_initial: 9, candidates_post_dedupe: 6, returned: 5 },
      degraded: ['graph', 'vector'],
    });
    expect(diagnosticLogLine(record, PATHS)).toBe(
      'diagnostic_id=11111111-1111-4111-8111-111111111111 trace_id=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ' +
        'span_id=bbbbbbbbbbbbbbbb correlation_id=req-7 tool=kb.search transport=stdio returned=5 candidates=9 ' +
        'dropped=3 total_ms=3.5 partial=false limit_reason=none degraded=graph,vector error=- ' +
        'jsonl=/r/2026-01-01/retrieval_diagnostics.jsonl markdown=/r/2026-01-01/1.md',
    );
  });

  it('writes a dash for a missing value', () => {
    expect(diagnosticLogLine(aDiagnosticRecord(), PATHS)).toContain(
      'trace_id=- span_id=- correlation_id=- tool=kb.search',
    );
  });

  it.each([
    ['/my reports/a.md', 'markdown="/my reports/a.md"'],
    ['/a\n\u2028b.md', 'markdown=/a??b.md'],
  ])('stays one line that can be parsed: %j', (markdown, shown) => {
    expect(diagnosticLogLine(aDiagnosticRecord(), { ...PATHS, markdown })).toContain(shown);
  });

  it('contains no text from the caller', () => {
    const secret = 'xyzzy secret';
    const record = aDiagnosticRecord({
      correlation_id: secret,
      session_id: secret,
      query: { raw: secret },
      results: [aDiagnosticCandidate({ chunk_id: secret })],
      error: { code: 'TIMEOUT', reason: 'deadline', message: secret },
    });
    expect(diagnosticLogLine(record, PATHS)).not.toContain('xyzzy');
  });
});
