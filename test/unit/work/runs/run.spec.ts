import {
  addCheckpoint,
  endedRun,
  logStep,
  type RunEnd,
  type RunStatus,
  startedRun,
} from '../../../../src/work/runs/run.js';
import { aRun } from '../../../support/a-run.js';

const AT = 1_000;
const failing = (reason: string) => expect.objectContaining({ reason });
const anEnd = (overrides: Partial<RunEnd> = {}): RunEnd => ({
  ...{ status: 'completed', outcome: '1', outputManifest: null },
  ...overrides,
});

describe('changes of a run', () => {
  it('count its events', () => {
    const started = startedRun(aRun(), AT);
    expect(started).toEqual(aRun({ status: 'started', startedAt: AT, changedAt: AT, events: 2 }));
    expect(logStep(started, AT + 1)).toMatchObject({ events: 3, changedAt: AT + 1 });
    expect(endedRun(started, anEnd(), AT + 1)).toMatchObject({ ...anEnd(), events: 3, endedAt: AT + 1 });
  });

  it.each<[RunStatus, RunEnd['status'], boolean]>([
    ['created', 'completed', false],
    ['created', 'failed', false],
    ['created', 'cancelled', true],
    ['started', 'completed', true],
    ['started', 'failed', true],
    ['started', 'cancelled', true],
    ['completed', 'failed', false],
    ['failed', 'cancelled', false],
    ['cancelled', 'completed', false],
  ])('end a run that is %s as %s: %s', (status, end, isPossible) => {
    const ending = () => endedRun(aRun({ status }), anEnd({ status: end }), AT).status;
    if (isPossible) expect(ending()).toBe(end);
    else expect(ending).toThrow(failing('wrong_status'));
  });

  it.each<RunStatus>(['created', 'completed', 'failed', 'cancelled'])('need a start: %s', (status) => {
    expect(() => logStep(aRun({ status }), AT)).toThrow(failing('wrong_status'));
    expect(() => addCheckpoint(aRun({ status }), null, AT)).toThrow(failing('wrong_status'));
  });

  it('start a run once', () => {
    expect(() => startedRun(aRun({ status: 'started' }), AT)).toThrow(failing('wrong_status'));
  });

  it('end a run once, in one way', () => {
    const ended = aRun({ status: 'completed', outcome: '1' });
    expect(endedRun(ended, anEnd(), AT)).toBe(ended);
    expect(() => endedRun(ended, anEnd({ outcome: '2' }), AT)).toThrow(failing('conflict'));
    expect(() => endedRun(ended, anEnd({ outputManifest: 'a' }), AT)).toThrow(failing('conflict'));
  });

  it.each([
    [null, 3],
    [2, 3],
  ])('give a checkpoint the next version, if version %s is expected', (expected, version) => {
    const run = aRun({ status: 'started', checkpoint: 2 });
    expect(addCheckpoint(run, expected, AT)).toMatchObject({ checkpoint: version, events: 2 });
  });

  it.each([0, 1, 3])('refuse a checkpoint after another one than version %d', (expected) => {
    const add = () => addCheckpoint(aRun({ status: 'started', checkpoint: 2 }), expected, AT);
    expect(add).toThrow(
      expect.objectContaining({ reason: 'conflict', details: { run_id: 'run_1', version: 2 } }),
    );
  });
});
