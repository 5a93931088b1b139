import type { Approval, DatedDecision } from '../../../../src/core/ports/approval-store.port.js';
import {
  decideApproval,
  stateAt,
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
  it.each(['approved', 'used', 'expired'] as const)(
    'names the next step at the place of the operator: %s',
    (state) => {
      const decide = () => decideApproval(anApproval({ state }), dated());
      expect(decide).toThrow(
        expect.objectContaining({
          hint: expect.stringContaining('/admin/approvals'),
          commandHint: expect.stringContaining('pith approvals list'),
        }),
      );
    },
  );
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
  const granted = approvedBy(anApproval(), 'ann');

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
