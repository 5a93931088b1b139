import { isThrottled, ThrottledCalls } from '../../../../src/governance/ledger/call-ledger.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';
import { aCall } from '../../../support/builders.js';

const throttled = (principal: string, id = 'c') => {
  const call = aCall();
  return aFinishedCall({
    call: { id, caller: { ...call.caller, principal } },
    error: { code: 'BUDGET_EXCEEDED', reason: 'rate_limited', message: 'm' },
  });
};

/** Lines as `id+omitted`, and a clock that the test moves by a second. */
function recorder() {
  const lines: string[] = [];
  let waiting: (() => void)[] = [];
  const clock = {
    after: (_: number, work: () => void) => {
      waiting.push(work);
      return () => undefined;
    },
  };
  const calls = new ThrottledCalls(({ call }, omitted) => void lines.push(`${call.id}+${omitted}`), clock);
  const second = (): void => {
    const due = waiting;
    waiting = [];
    for (const work of due) work();
  };
  return { calls, lines, second };
}

describe('ThrottledCalls', () => {
  it('records the first call at once, and the others of a second as one', () => {
    const { calls, lines, second } = recorder();
    for (const id of ['a', 'b', 'c', 'd']) calls.note(throttled('p', id));
    expect(lines).toEqual(['a+0']);
    second();
    expect(lines).toEqual(['a+0', 'd+2']);
    calls.note(throttled('p', 'e'));
    second();
    second();
    calls.note(throttled('p', 'f'));
    expect(lines).toEqual(['a+0', 'd+2', 'e+0', 'f+0']);
  });

  it('combines only calls of one principal', () => {
    const { calls, lines } = recorder();
    calls.note(throttled('p', 'a'));
    calls.note(throttled('q', 'b'));
    expect(lines).toEqual(['a+0', 'b+0']);
  });

  it('records what is left at the end, once', () => {
    const { calls, lines, second } = recorder();
    for (const id of ['a', 'b', 'c']) calls.note(throttled('p', id));
    calls.flush();
    calls.flush();
    second();
    expect(lines).toEqual(['a+0', 'c+1']);
  });
});

describe('isThrottled', () => {
  it('is true for calls beyond the limits of their principal', () => {
    expect(isThrottled(throttled('p'))).toBe(true);
    expect(isThrottled(aFinishedCall())).toBe(false);
  });

  it('is false for a call that a provider has throttled', () => {
    const { error } = throttled('p');
    expect(isThrottled(aFinishedCall({ error, decisions: { isStarted: true } }))).toBe(false);
  });
});
