import { Decisions } from '../../../src/core/call.js';

describe('Decisions', () => {
  it('keeps what a stage decided', () => {
    const decisions = new Decisions();
    decisions.decide({ run: 'run-1' });
    decisions.decide({ isStarted: true });
    expect(decisions).toMatchObject({ run: 'run-1', isStarted: true, policy: null });
  });

  it.each([{ run: 'run-2' }, { run: null }, { isStarted: true }, { approvalId: 'a-2', input: {} }])(
    'refuses to decide again, and changes nothing: %j',
    (facts) => {
      const decisions = new Decisions();
      decisions.decide({ run: 'run-1', isStarted: true, approvalId: 'a-1' });
      expect(() => decisions.decide(facts)).toThrow('is decided already');
      expect(decisions).toMatchObject({ run: 'run-1', isStarted: true, approvalId: 'a-1', input: null });
    },
  );
});
