import { CallHistory } from '../../../../src/admin/facts/call-history.js';
import { type Overview, overviewPage } from '../../../../src/admin/pages/overview-page.js';
import { aDiagnosticRecord } from '../../../support/a-diagnostic.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';
import { FRAME } from '../../../support/admin-parts.js';
import { NOW } from '../../../support/builders.js';
import { ALL_STORIES } from '../../../support/retrieval-stories.js';

const TIMED_OUT = { code: 'TIMEOUT', reason: 'deadline', message: '' } as const;

const STATE: Overview['state'] = {
  readiness: { ready: true, reasons: [] },
  uptimeMs: 60_000,
  counters: { queued: 1, written: 2, dropped: 3, failed: 4 },
  diagnostics: { sampleRate: 0.01, force: false, retentionDays: 14 },
};

function overview(parts: Partial<Overview> = {}): string {
  return overviewPage({
    state: STATE,
    history: new CallHistory(() => NOW).series(NOW),
    list: { records: ALL_STORIES, next: null, isComplete: true, skipped: 0 },
    query: {},
    tools: ['kb.search'],
    frame: FRAME,
    ...parts,
  }).replace(/\s+/g, ' ');
}

describe('overviewPage', () => {
  it('shows the counters of diagnostics', () => {
    expect(overview()).toContain('1% of all retrievals, and every failed one, are kept for 14 days.');
    expect(overview()).toContain('2 written, 1 queued, 3 dropped, 4 failed');
  });

  it.each([
    [{ sampleRate: 0.01, force: true, retentionDays: 0 }, 'All retrievals are kept without expiry.'],
    [{ sampleRate: 1, force: false, retentionDays: 3 }, 'All retrievals are kept for 3 days.'],
    [null, 'No diagnostics are recorded because MCP_NO_LOG is on.'],
  ])('shows which diagnostics are kept: %j', (diagnostics, told) => {
    expect(overview({ state: { ...STATE, diagnostics } })).toContain(told);
  });

  it('shows first why the server is not ready', () => {
    const reasons = [
      { part: 'index', reason: 'index_missing', message: 'There is none.', hint: 'Run pith index.' },
    ] as const;
    const page = overview({ state: { ...STATE, readiness: { ready: false, reasons } } });
    expect(page).toContain('Not ready');
    expect(page.indexOf('Run pith index.')).toBeLessThan(page.indexOf('Last six hours'));
  });

  it('counts refused calls apart from failed ones', () => {
    const history = new CallHistory(() => NOW);
    history.observe(aFinishedCall());
    history.observe(aFinishedCall({ error: { code: 'SCOPE_VIOLATION', reason: 'project', message: '' } }));
    expect(overview({ history: history.series(NOW) })).toContain(
      'No call failed in the last six hours. 1 call refused: invalid arguments, out of scope or over the rate limit.',
    );
  });

  it('lists questions if they are stored', () => {
    const records = [aDiagnosticRecord({ query: { raw: 'Who <moors> ships?' } })];
    const list = { records, next: null, isComplete: true, skipped: 0 };
    expect(overview({ list })).toContain('<q>Who &lt;moors&gt; ships?</q>');
    expect(overview()).not.toContain('Question</th>');
  });

  it('describes the charts in words', () => {
    const history = new CallHistory(() => NOW);
    for (let i = 0; i < 3; i++) history.observe(aFinishedCall({ durationMs: 10 }));
    history.observe(aFinishedCall({ durationMs: 10, error: TIMED_OUT }));
    const page = overview({ history: history.series(NOW) });
    expect(page).toContain('4 calls in six hours: half took at most 10.4\u00a0ms'.replace('\u00a0', ' '));
    expect(page).toContain('1 of 4 calls failed in six hours (25%): TIMEOUT 1.');
  });

  it('reports that there were no calls', () => {
    expect(overview()).toContain('No calls in the last six hours.');
  });

  it('keeps the filter in the form and in the link to older retrievals', () => {
    const list = { records: ALL_STORIES, next: 'a&b', isComplete: true, skipped: 0 };
    const page = overview({ query: { tool: 'kb.search', min_ms: 5 }, list });
    expect(page).toContain('<option value="kb.search" selected>kb.search</option>');
    expect(page).toContain('value="5"');
    expect(page).toContain('href="/admin?tool=kb.search&amp;min_ms=5&amp;cursor=a%26b#retrievals"');
  });

  it('links further pages to the newest retrievals', () => {
    const page = overview({ query: { tool: 'kb.search', cursor: 'c' } });
    expect(page).toContain('href="/admin?tool=kb.search#retrievals"');
  });

  it.each([
    [{}, 'No retrieval has been recorded yet.'],
    [{ tool: 'kb.search' }, 'No recorded retrieval matches these filters.'],
  ])('explains an empty list: %j', (query, told) => {
    expect(overview({ query, list: { records: [], next: null, isComplete: true, skipped: 0 } })).toContain(
      told,
    );
  });

  it('reports an incomplete search', () => {
    const list = { records: [], next: 'x', isComplete: false, skipped: 0 };
    expect(overview({ list })).toContain('Only part of the files was searched');
  });
});
