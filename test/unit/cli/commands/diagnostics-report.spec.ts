import { DIAGNOSTIC_HEAD, diagnosticLine, listLines } from '../../../../src/cli/commands/diagnostics.command';
import { aDiagnosticRecord, type DiagnosticParts } from '../../../support/a-diagnostic';

const ID = '11111111-1111-4111-8111-111111111111';
const FACTS = { folder: '/reports', isFiltered: false };
const page = { records: [aDiagnosticRecord()], next: null, isComplete: true, skipped: 0 };

describe('diagnosticLine', () => {
  it('contains time, tool, duration, number of results, outcome and the full id', () => {
    const record = aDiagnosticRecord({ timestamp: '2026-01-31T12:34:56.789Z', tool: 'kb.retrieve_evidence' });
    expect(diagnosticLine(record)).toBe(`01-31 12:34:56 kb.retrieve_evidence     3.5     1 ok         ${ID}`);
  });

  it.each<[string, DiagnosticParts]>([
    ['deadline  ', { error: { code: 'TIMEOUT', reason: 'deadline', message: null }, degraded: ['graph'] }],
    ['invalid_i…', { error: { code: 'INVALID_ARGUMENT', reason: 'invalid_input', message: null } }],
    ['without g…', { degraded: ['graph'], budgets: { partial: true } }],
    ['partial   ', { budgets: { partial: true }, answerable: { verdict: 'likely', confidence: 1 } }],
    ['unlikely  ', { answerable: { verdict: 'unlikely', confidence: 0 } }],
  ])('shows the most important outcome: %s', (outcome, parts) => {
    expect(diagnosticLine(aDiagnosticRecord(parts))).toContain(` ${outcome} ${ID}`);
  });

  it('fits 100 columns under its heads, without terminal escape codes', () => {
    const line = diagnosticLine(
      aDiagnosticRecord({
        tool: '\u001b[2J'.repeat(40),
        timing_ms: { total: 29_999.94 },
        counts: { returned: 50 },
        degraded: ['\u0007\n'.repeat(20)],
      }),
    );
    expect([...line].length).toBeLessThanOrEqual(100);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect([...line].length).toBe(DIAGNOSTIC_HEAD.length + ID.length - 2);
  });
});

describe('listLines', () => {
  it('has the question below its line if it is stored, as one line without escape codes', () => {
    const raw = `Who\nmoors \u001b[2Jships? ${'x'.repeat(200)}`;
    const [head, line, question = ''] = listLines(
      { ...page, records: [aDiagnosticRecord({ query: { raw } })] },
      FACTS,
    );
    expect([head, line]).toEqual([DIAGNOSTIC_HEAD, diagnosticLine(aDiagnosticRecord())]);
    expect(question).toMatch(/^ {2}“Who moors \ufffd\[2Jships\? x+…”$/u);
    expect([...question].length).toBeLessThanOrEqual(100);
  });

  it('has no line for a question that is not stored', () => {
    expect(listLines(page, FACTS)[2]).toBe('');
  });

  it('ends with the next commands', () => {
    expect(listLines(page, FACTS).at(-1)).toBe(`To show one: pith diagnostics show ${ID}`);
    const more = listLines({ ...page, next: 'x', skipped: 2 }, FACTS).slice(-3);
    expect(more).toEqual([
      `To show one: pith diagnostics show ${ID}`,
      'For older ones: --limit 500, or --until 2026-01-01T00:00:00.000Z',
      '2 lines could not be read and were skipped.',
    ]);
  });

  it('explains an empty list', () => {
    const none = { ...page, records: [] };
    expect(listLines(none, FACTS).join('\n')).toMatch(/no diagnostics in \/reports.*FORCE=1.*--dir/s);
    expect(listLines(none, { ...FACTS, isFiltered: true }).join('\n')).toMatch(/Remove some of them/);
    expect(listLines({ ...none, isComplete: false }, FACTS).join('\n')).toMatch(/--since/);
  });
});
