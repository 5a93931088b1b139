import { BackendUnavailableError } from '../../../../src/core/errors.js';
import type { ApprovalRequest } from '../../../../src/governance/approvals/approval.js';
import { ApprovalStore } from '../../../../src/governance/approvals/approval-store.js';
import {
  type OperatorDecision,
  OperatorDecisions,
} from '../../../../src/governance/approvals/operator-decisions.js';
import type { ApprovalDecidedEvent } from '../../../../src/governance/ledger/ledger-event.js';
import { memberName } from '../../../../src/mcp/principals.js';
import { anApproval, aRequest, LIFETIME_MS, REQUESTED_AT } from '../../../support/an-approval.js';
import { approvalsIn } from '../../../support/governance-stores.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
let files = 0;
let clock: number;
let store: ApprovalStore;
let recorded: ApprovalDecidedEvent[];
let decisions: OperatorDecisions;

beforeEach(() => {
  clock = REQUESTED_AT;
  store = approvalsIn({
    file: folder.file(`${files++}.sqlite`),
    creates: true,
    now: () => clock,
  });
  recorded = [];
  decisions = new OperatorDecisions({
    store,
    record: async (event) => void recorded.push(event),
    now: () => clock,
  });
});
afterEach(() => store.close());
afterAll(() => folder.remove());

const by = (name: string, set: Partial<OperatorDecision> = {}): OperatorDecision => ({
  by: name,
  via: 'admin',
  verdict: 'approved',
  note: '',
  ...set,
});
const ask = (request: Partial<ApprovalRequest> = {}) => store.request(aRequest(request));

describe('OperatorDecisions', () => {
  it('approves a call, and records who did it', async () => {
    await ask();
    const decided = await decisions.decide('approval-1', by('ann', { note: '  for the audit\r\ntoday ' }));
    expect(decided).toMatchObject({
      state: 'approved',
      decisions: [
        { by: 'ann', via: 'admin', verdict: 'approved', reason: 'for the audit\ntoday', at: REQUESTED_AT },
      ],
    });
    expect(recorded).toMatchObject([
      {
        type: 'approval.decided',
        approval_id: 'approval-1',
        verdict: 'approved',
        decided_by: 'ann',
        via: 'admin',
        state: 'approved',
      },
    ]);
  });

  it('rejects a call', async () => {
    await ask();
    const decided = await decisions.decide('approval-1', by('ann', { verdict: 'rejected', note: '' }));
    expect(decided).toMatchObject({ state: 'rejected', decisions: [{ reason: null }] });
  });

  it('approves a review with two operators', async () => {
    await ask({ effect: 'review' });
    const first = await decisions.decide('approval-1', by('ann'));
    const second = await decisions.decide('approval-1', by('ben', { via: 'webhook' }));
    expect([first.state, second.state]).toEqual(['pending', 'approved']);
    expect(recorded.map(({ state, via }) => [state, via])).toEqual([
      ['pending', 'admin'],
      ['approved', 'webhook'],
    ]);
  });

  it.each<[string, Partial<ApprovalRequest>, OperatorDecision, string]>([
    ['an own call', {}, by('agent-key'), 'own_call'],
    ['an own call in another spelling', {}, by(' Agent-KEY '), 'own_call'],
    ['an own call, as a rejection', {}, by('agent-key', { verdict: 'rejected' }), 'own_call'],
    ['arguments that are not shown in full', { argumentsOmitted: 1 }, by('ann'), 'arguments_not_shown'],
    ['a note that is too long', {}, by('ann', { note: 'x'.repeat(501) }), 'note_too_long'],
  ])('refuses to decide about %s, and records nothing', async (_, request, decision, reason) => {
    await ask(request);
    await expect(decisions.decide('approval-1', decision)).rejects.toMatchObject({ reason });
    expect((await store.get('approval-1'))?.state).toBe('pending');
    expect(recorded).toEqual([]);
  });

  it('rejects a call whose arguments are not shown in full', async () => {
    await ask({ argumentsOmitted: 1 });
    const decided = await decisions.decide('approval-1', by('ann', { verdict: 'rejected' }));
    expect(decided.state).toBe('rejected');
  });

  it.each(['ben', 'Ben', 'ＢＥＮ'])('takes %s and ben as one operator', async (name) => {
    await ask({ effect: 'review' });
    await decisions.decide('approval-1', by('ben'));
    await expect(decisions.decide('approval-1', by(name, { via: 'command' }))).rejects.toMatchObject({
      reason: 'approval_already_decided',
    });
  });

  it.each([
    ['pilots:ada', 'ada'],
    ['pilots:ada', 'Ada'],
    ['pilots:ada@harbour.example', 'ada@harbour.example'],
    [memberName('pilots', 'Ada L.'), 'Ada L.'],
  ])('takes the user %s of a token and %s of the webhook as one person', async (principal, name) => {
    await ask({ principal });
    const decision = decisions.decide('approval-1', by(name, { via: 'webhook' }));
    await expect(decision).rejects.toMatchObject({ reason: 'own_call' });
    expect((await decisions.decide('approval-1', by('pilots-ada'))).state).toBe('approved');
  });

  it('refuses a second decision, and one that comes too late', async () => {
    await ask();
    await ask({ id: 'late', binding: 'late' });
    await decisions.decide('approval-1', by('ann'));
    const again = decisions.decide('approval-1', by('ben'));
    await expect(again).rejects.toMatchObject({
      reason: 'approval_not_pending',
      details: { state: 'approved' },
    });
    clock += LIFETIME_MS;
    const late = decisions.decide('late', by('ben'));
    await expect(late).rejects.toMatchObject({
      reason: 'approval_not_pending',
      details: { state: 'expired' },
    });
  });

  it('takes a note of 500 characters', async () => {
    await ask();
    const note = 'x'.repeat(500);
    const decided = await decisions.decide('approval-1', by('ann', { note }));
    expect(decided.decisions).toMatchObject([{ reason: note }]);
  });

  it('refuses unknown ids', async () => {
    await expect(decisions.decide('other', by('ann'))).rejects.toMatchObject({
      reason: 'approval_not_found',
    });
  });

  it('decides nothing if the decision cannot be recorded', async () => {
    await ask();
    const full = new BackendUnavailableError('full', { reason: 'ledger_not_writable', hint: '' });
    const failing = new OperatorDecisions({ store, record: () => Promise.reject(full), now: () => clock });
    await expect(failing.decide('approval-1', by('ann'))).rejects.toBe(full);
    expect((await store.get('approval-1'))?.state).toBe('pending');
  });

  it('lets only one of two operators decide at the same time', async () => {
    await ask();
    const results = await Promise.allSettled([
      decisions.decide('approval-1', by('ann')),
      decisions.decide('approval-1', by('ben', { verdict: 'rejected' })),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await store.get('approval-1'))?.decisions).toHaveLength(1);
  });
});

describe('objection', () => {
  it.each<[Partial<ApprovalRequest>, string, string | undefined]>([
    [{}, 'ann', undefined],
    [{}, 'agent-key', 'own_call'],
    [{ argumentsOmitted: 5 }, 'ann', 'arguments_not_shown'],
  ])('explains why an operator cannot approve: %j by %s', (request, name, reason) => {
    const objection = decisions.objection(anApproval(request), { by: name, via: 'admin' });
    expect(objection?.reason).toBe(reason);
  });

  it('says how much of the arguments is not shown', () => {
    const objection = decisions.objection(anApproval({ argumentsOmitted: 5 }), { by: 'ann', via: 'admin' });
    expect(objection?.details).toEqual({ characters_not_shown: 5 });
  });

  it('does not take a fault of the server as an objection', () => {
    const faulty = new OperatorDecisions({
      store,
      record: async () => undefined,
      now: () => {
        throw new TypeError('no clock');
      },
    });
    expect(() => faulty.objection(anApproval(), { by: 'ann', via: 'admin' })).toThrow('no clock');
  });
});
