import type { Approval, DatedDecision } from '../../../../src/governance/approvals/approval.js';
import {
  decideApproval,
  stateAt,
  tooManyPending,
  unknownApproval,
  useApproval,
} from '../../../../src/governance/approvals/decide-approval.js';
import { aDecision, anApproval, LIFETIME_MS, REQUESTED_AT } from '../../../support/an-approval.js';

const at = REQUESTED_AT + 1_000;
const dated = (overrides: Partial<DatedDecision> = {}): DatedDecision => ({
  ...aDecision(),
  at,
  ...overrides,
});
const approvedBy = (approval: Approval, ...names: string[]): Approval =>
  names.reduce((each, by) => decideApproval(each, dated({ by })), approval);

describe('decideApproval', () => {
  it('approves a request with the approval of one operator', () => {
    expect(decideApproval(anApproval(), dated())).toMatchObject({ state: 'approved', decisions: [dated()] });
  });

  it('approves a review with the approvals of two operators', () => {
    const review = anApproval({ effect: 'review' });
    expect(approvedBy(review, 'ann').state).toBe('pending');
    expect(approvedBy(review, 'ann', 'ben').state).toBe('approved');
  });

  it('rejects a review with one rejection, also after an approval', () => {
    const approved = approvedBy(anApproval({ effect: 'review' }), 'ann');
    expect(decideApproval(approved, dated({ by: 'ben', verdict: 'rejected' })).state).toBe('rejected');
  });

  it('lets an operator decide requests that the caller may approve', () => {
    expect(decideApproval(anApproval({ approver: 'caller' }), dated()).state).toBe('approved');
  });

  it('lets the host of the caller decide where the rule says so', () => {
    const decision = dated({ by: 'agent-key', via: 'host' });
    expect(decideApproval(anApproval({ approver: 'caller' }), decision).state).toBe('approved');
  });

  it.each<[string, Partial<Approval>, Partial<DatedDecision>, string]>([
    ['the same operator twice', { effect: 'review', decisions: [dated()] }, {}, 'approval_already_decided'],
    ['a principal about its own call', {}, { by: 'agent-key' }, 'own_call'],
    ['a principal about its own review', { effect: 'review' }, { by: 'agent-key' }, 'own_call'],
    ['a principal by command, about its own call', { approver: 'caller' }, { by: 'agent-key' }, 'own_call'],
    ['a host for operators', {}, { by: 'agent-key', via: 'host' }, 'approver_mismatch'],
    [
      'a host for reviewers',
      { effect: 'review', approver: 'caller' },
      { by: 'agent-key', via: 'host' },
      'approver_mismatch',
    ],
    [
      'the host of another principal',
      { approver: 'caller' },
      { by: 'other-key', via: 'host' },
      'approver_mismatch',
    ],
    ['after an approval', { state: 'approved' }, {}, 'approval_not_pending'],
    ['after a rejection', { state: 'rejected' }, {}, 'approval_not_pending'],
    ['after the use', { state: 'used' }, {}, 'approval_not_pending'],
    ['too late', {}, { at: REQUESTED_AT + LIFETIME_MS }, 'approval_not_pending'],
  ])('refuses a decision by %s', (_, approval, decision, reason) => {
    expect(() => decideApproval(anApproval(approval), dated(decision))).toThrow(
      expect.objectContaining({ reason }),
    );
  });
});

describe('a second decision', () => {
  const again = 'The caller has to make the call again, which asks for a new approval.';

  it.each([
    ['approved', 'is approved', 'Until it is used, it can be revoked with pith approvals revoke.'],
    ['used', 'is used', 'Nothing needs to be done.'],
    ['expired', 'has expired', again],
  ] as const)('names the next step at the place of the operator: %s', (state, words, next) => {
    expect(() => decideApproval(anApproval({ state }), dated())).toThrow(
      expect.objectContaining({
        message: `Approval approval-1 ${words}, so it can't be decided.`,
        hint: `${next} Calls that still wait are listed at /admin/approvals.`,
        commandHint: `${next} Calls that still wait are listed by: pith approvals list`,
        details: { state },
      }),
    );
  });
});

describe('decideApproval, to revoke', () => {
  const revoked = (by: string) => dated({ by, verdict: 'revoked' });

  it.each(['ann', 'ben', 'agent-key'])('lets %s revoke what ann has approved', (by) => {
    expect(decideApproval(approvedBy(anApproval(), 'ann'), revoked(by))).toMatchObject({
      state: 'rejected',
      decisions: [{ by: 'ann', verdict: 'approved' }, revoked(by)],
    });
  });

  it.each<[string, Partial<Approval>, Partial<DatedDecision>]>([
    ['is pending', {}, {}],
    ['was used', { state: 'used' }, {}],
    ['is rejected', { state: 'rejected' }, {}],
    ['has expired', { state: 'approved' }, { at: REQUESTED_AT + LIFETIME_MS }],
  ])('refuses if the request %s', (_, approval, decision) => {
    expect(() => decideApproval(anApproval(approval), { ...revoked('ann'), ...decision })).toThrow(
      expect.objectContaining({ reason: 'approval_not_granted' }),
    );
  });

  it.each([
    ['pending', 'is pending', 'Reject it instead.'],
    ['used', 'is used', 'Nothing needs to be done.'],
    ['expired', 'has expired', 'Nothing needs to be done.'],
  ] as const)('says why, and what to do instead: %s', (state, words, hint) => {
    expect(() => decideApproval(anApproval({ state }), revoked('ann'))).toThrow(
      expect.objectContaining({
        message: `Approval approval-1 ${words}, so it can't be revoked.`,
        hint,
        details: { state },
      }),
    );
  });
});

describe('refusals of requests', () => {
  it('say that there is none, and that there are too many', () => {
    expect(unknownApproval()).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'approval_not_found' });
    expect(tooManyPending(5)).toMatchObject({
      code: 'BUDGET_EXCEEDED',
      reason: 'approvals_pending',
      message: '5 calls of this caller already wait for approval.',
    });
  });
});

describe('stateAt', () => {
  it('shows a request that was approved but not used in time as expired', () => {
    const approved = anApproval({ state: 'approved' });
    expect(stateAt(approved, approved.expiresAt - 1)).toBe('approved');
    expect(stateAt(approved, approved.expiresAt)).toBe('expired');
  });

  it.each(['used', 'rejected'] as const)('keeps the state of a request that was %s', (state) => {
    const ended = anApproval({ state });
    expect(stateAt(ended, ended.expiresAt + 1)).toBe(state);
  });
});

describe('useApproval', () => {
  const use = { callId: 'call-2' };
  const granted = anApproval({ state: 'approved', decisions: [dated()] });

  it('uses a granted approval, and records the call and the time', () => {
    expect(useApproval(granted, use, at)).toEqual({
      ...granted,
      state: 'used',
      usedBy: 'call-2',
      usedAt: at,
    });
  });

  it('uses the approval that the call names', () => {
    expect(useApproval(granted, { ...use, id: granted.id }, at)?.state).toBe('used');
  });

  it.each<[string, Approval | null, number]>([
    ['there is none', null, at],
    ['it is pending', anApproval(), at],
    ['it is used', { ...granted, state: 'used', usedBy: 'call-1', usedAt: at }, at],
    ['it was rejected', { ...granted, state: 'rejected' }, at],
    ['it has expired', granted, granted.expiresAt],
  ])('returns null if %s', (_, approval, time) => {
    expect(useApproval(approval, use, time)).toBeNull();
  });

  it('returns null if the call names another approval', () => {
    expect(useApproval(granted, { ...use, id: 'approval-2' }, at)).toBeNull();
  });
});
