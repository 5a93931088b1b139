import { CallHistory } from '../../../../src/admin/facts/call-history.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';
import { NOW } from '../../../support/builders.js';

const TIMED_OUT = { code: 'TIMEOUT', reason: 'deadline', message: '' } as const;

const MINUTE_MS = 60_000;

function atTime(start: number) {
  const clock = { now: start };
  return { clock, history: new CallHistory(() => clock.now) };
}

describe('CallHistory', () => {
  it('has a point for every five minutes of six hours, including the current one', () => {
    const { history } = atTime(NOW);
    const { points } = history.series(NOW + 2 * MINUTE_MS);
    expect(points).toHaveLength(72);
    expect(points.at(-1)).toEqual({
      ...{ at: NOW, calls: 0, errors: {}, waiting: 0, refused: 0, partial: 0, degraded: 0 },
      ...{ p50: null, p95: null },
    });
  });

  it('counts calls, errors by code, partial and degraded calls in the minute in which they ended', () => {
    const { clock, history } = atTime(NOW);
    history.observe(aFinishedCall({ error: TIMED_OUT }));
    history.observe(aFinishedCall({ usage: { isPartial: true }, trace: { degraded: ['vector'] } }));
    clock.now += 5 * MINUTE_MS;
    history.observe(aFinishedCall());
    const [before, last] = history.series(clock.now).points.slice(-2);
    expect(before).toMatchObject({ calls: 2, errors: { TIMEOUT: 1 }, partial: 1, degraded: 1 });
    expect(last).toMatchObject({ calls: 1, errors: {}, partial: 0, degraded: 0 });
  });

  it('counts refused calls apart from failures', () => {
    const { history } = atTime(NOW);
    history.observe(aFinishedCall({ error: TIMED_OUT }));
    history.observe(
      aFinishedCall({ error: { ...TIMED_OUT, code: 'INVALID_ARGUMENT', reason: 'invalid_input' } }),
    );
    history.observe(aFinishedCall({ error: { ...TIMED_OUT, code: 'SCOPE_VIOLATION', reason: 'project' } }));
    const { total, names } = history.series(NOW);
    expect(total).toMatchObject({ calls: 3, errors: { TIMEOUT: 1 }, refused: 2 });
    expect(names[0]).toMatchObject({ errors: { TIMEOUT: 1 }, refused: 2 });
  });

  it('counts calls that wait for an approval neither as refused nor as failed', () => {
    const { history } = atTime(NOW);
    const error = { ...TIMED_OUT, code: 'SCOPE_VIOLATION', reason: 'approval_required' } as const;
    history.observe(aFinishedCall({ error }));
    expect(history.series(NOW).total).toMatchObject({ calls: 1, errors: {}, refused: 0, waiting: 1 });
  });

  it('reports the median and the 95th percentile of latency', () => {
    const { history } = atTime(NOW);
    for (let i = 0; i < 18; i++) history.observe(aFinishedCall({ durationMs: 10 }));
    for (let i = 0; i < 2; i++) history.observe(aFinishedCall({ durationMs: 1_000 }));
    expect(history.series(NOW).points.at(-1)).toMatchObject({ p50: 10.4, p95: 939 });
  });

  it('totals each tool and other method by name, most calls first', () => {
    const { history } = atTime(NOW);
    history.observe(aFinishedCall({ start: { tool: 'search_docs' } }));
    history.observe(aFinishedCall({ start: { tool: 'search_docs' } }));
    history.observe(aFinishedCall({ start: { tool: null, method: 'resources/read' } }));
    const told = history.series(NOW).names.map(({ name, calls }) => [name, calls]);
    expect(told).toEqual([
      ['search_docs', 2],
      ['resources/read', 1],
    ]);
  });

  it('drops calls older than six hours', () => {
    const { clock, history } = atTime(NOW);
    history.observe(aFinishedCall());
    clock.now += 360 * MINUTE_MS;
    expect(history.series(clock.now).total.calls).toBe(0);
  });

  it('keeps at most 48 names, and counts calls of further names as others', () => {
    const { history } = atTime(NOW);
    for (let i = 0; i < 1_000; i++) history.observe(aFinishedCall({ start: { tool: `tool_${i}` } }));
    const { names, total } = history.series(NOW);
    expect(names).toHaveLength(49);
    expect(names[0]).toMatchObject({ name: 'others', calls: 952 });
    expect(total.calls).toBe(1_000);
  });
});
