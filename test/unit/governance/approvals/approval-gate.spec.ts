import { Decisions } from '../../../../src/core/call.js';
import { BackendUnavailableError } from '../../../../src/core/errors.js';
import type { Approval } from '../../../../src/governance/approvals/approval.js';
import { ApprovalGate, type GatedCall } from '../../../../src/governance/approvals/approval-gate.js';
import { ApprovalStore } from '../../../../src/governance/approvals/approval-store.js';
import { bindingKey } from '../../../../src/governance/approvals/bind-call.js';
import type { RecordedEvent } from '../../../../src/governance/ledger/ledger-event.js';
import { decideCall } from '../../../../src/governance/policy/decide-call.js';
import type { PolicyRule } from '../../../../src/governance/policy/policy-rule.js';
import type { HostAnswer } from '../../../../src/mcp/input-requests.js';
import {
  aBoundCall,
  aDecision,
  anApproval,
  LIFETIME_MS,
  REQUESTED_AT,
} from '../../../support/an-approval.js';
import { aCall, SECRET } from '../../../support/builders.js';
import { approvalsIn } from '../../../support/governance-stores.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const TERMS = { effect: 'approve', approver: 'operator', reason: null, lifetimeMs: LIFETIME_MS } as const;
const FOR_CALLER = { ...TERMS, approver: 'caller' } as const;

let folder: TestFolder;
let store: ApprovalStore;
let gate: ApprovalGate;
let now: number;
let events: RecordedEvent[];
let announced: string[];
let asked: Approval[];
let recordDecision: (event: RecordedEvent) => Promise<void>;
beforeEach(() => {
  folder = testFolder();
  now = REQUESTED_AT;
  [events, announced, asked] = [[], [], []];
  recordDecision = async (event) => void events.push(event);
  store = approvalsIn({ file: folder.file('g.sqlite'), creates: true, now: () => now });
  gate = new ApprovalGate({
    store,
    key: bindingKey(SECRET),
    record: async (event) => void events.push(event),
    recordDecision: (event) => recordDecision(event),
    now: () => now,
    announce: ({ id }) => void announced.push(id),
  });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

const caller = { ...aCall().caller, principal: 'agent-key' };
const aGated = (overrides: Partial<GatedCall> = {}): GatedCall => ({
  call: { ...aCall(), id: 'call-1', caller },
  terms: TERMS,
  rule: 'needs-approval',
  bound: aBoundCall(),
  safety: 'read',
  named: undefined,
  answer: null,
  ask: (approval) => void asked.push(approval),
  ...overrides,
});
const reasonOf = async (overrides: Partial<GatedCall> = {}): Promise<string> => {
  try {
    return await gate.admit(aGated(overrides));
  } catch (error) {
    return String(Object(error)['reason']);
  }
};
/** The id of the request that a call makes. */
const requested = async (overrides: Partial<GatedCall> = {}): Promise<string> => {
  now++;
  await reasonOf(overrides);
  const [newest] = await store.list({ limit: 1 });
  return newest?.id ?? '';
};
const approved = async (overrides: Partial<GatedCall> = {}): Promise<string> => {
  const id = await requested(overrides);
  await store.decide(id, aDecision());
  return id;
};
const answer = (state: string, action: HostAnswer['action']): Partial<GatedCall> => ({
  terms: FOR_CALLER,
  answer: { state, action },
});

describe('ApprovalGate: operators', () => {
  it('refuses a call with the id of its request and what to do next', async () => {
    const ending = gate.admit(aGated({ terms: { ...TERMS, reason: 'Costs money' } }));
    const refusal: unknown = await ending.catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'SCOPE_VIOLATION',
      reason: 'approval_required',
      message: expect.stringMatching(
        /^kb\.search needs an approval, requested as [0-9a-f]{32}\. Costs money\.$/,
      ),
      hint: 'An operator decides at /admin/approvals or with `pith approvals`; then make the same call again. The call was not executed; it waits until 2026-01-01T01:00:00.000Z.',
      details: {
        approval_id: announced[0],
        expires_at: '2026-01-01T01:00:00.000Z',
        rule: 'needs-approval',
        effect: 'approve',
        approver: 'operator',
      },
    });
    expect([announced.length, asked]).toEqual([1, []]);
  });

  it('records and announces a request once', async () => {
    const id = await requested();
    await reasonOf();
    expect([announced, events.map(({ type }) => type)]).toEqual([[id], ['approval.requested']]);
  });

  it('lets the same call run once after its approval, and records the use', async () => {
    const id = await approved();
    expect(await reasonOf()).toBe(id);
    expect(events.at(-1)).toMatchObject({ type: 'approval.used', approval_id: id, call_id: 'call-1' });
    expect(await requested()).not.toBe(id);
  });

  it('records the run of the call that asked, and that of the call that is executed', async () => {
    const inRun = (run: string): Partial<GatedCall> => {
      const { call } = aGated();
      return { call: { ...call, decisions: Object.assign(new Decisions(), { run }) } };
    };
    const id = await requested(inRun('run-1'));
    expect(await store.get(id)).toMatchObject({ runId: 'run-1' });
    await store.decide(id, aDecision());
    await reasonOf(inRun('run-2'));
    expect(events).toMatchObject([
      { type: 'approval.requested', run_id: 'run-1' },
      { type: 'approval.used', run_id: 'run-2' },
    ]);
  });

  it('lets one of several equal calls run', async () => {
    const id = await approved();
    const ended = await Promise.all([reasonOf(), reasonOf(), reasonOf()]);
    expect(ended.filter((each) => each === id)).toHaveLength(1);
  });

  it.each<[string, Partial<ReturnType<typeof aBoundCall>>]>([
    ['altered arguments', { args: { query: 'sails' } }],
    ['another principal', { principal: 'other-key' }],
    ['another agent', { agent: 'other' }],
    ['another scope', { scope: { ...aBoundCall().scope, docTags: ['hr'] } }],
    ['a changed policy', { policyVersion: 'policy-2' }],
    ['a changed schema', { schemaHash: 'schema-2' }],
    ['a new version', { version: '2' }],
    ['another way to the content', { method: 'resources/read' }],
  ])('does not use an approval for %s', async (_, change) => {
    const id = await approved();
    const bound = aBoundCall(change);
    expect(await reasonOf({ bound })).toBe('approval_required');
    expect(await reasonOf({ bound, named: id })).toBe('approval_mismatch');
    expect(await reasonOf()).toBe(id);
  });

  it('does not use an expired approval', async () => {
    const id = await approved();
    now += LIFETIME_MS;
    expect(await reasonOf({ named: id })).toBe('approval_mismatch');
    expect(await reasonOf()).toBe('approval_required');
  });

  it('does not use the approval of a later request for the one that the call names', async () => {
    const expired = await approved();
    now += LIFETIME_MS;
    const id = await approved();
    expect(await reasonOf({ named: expired })).toBe('approval_mismatch');
    expect(await reasonOf()).toBe(id);
  });

  it('refuses a rejected call with the reason, until the request expires', async () => {
    const id = await requested();
    await store.decide(id, aDecision({ verdict: 'rejected', reason: 'Not today' }));
    await expect(gate.admit(aGated())).rejects.toMatchObject({
      reason: 'approval_denied',
      message: 'kb.search was not approved. Not today.',
      details: { approval_id: id },
    });
    now += LIFETIME_MS;
    expect(await reasonOf()).toBe('approval_required');
  });

  describe('notes for the run ledger which approval is missing, and why', () => {
    const noted = async (overrides: Partial<GatedCall> = {}): Promise<unknown[]> => {
      const gated = aGated(overrides);
      await gate.admit(gated).catch(() => undefined);
      return [gated.call.decisions.approvalId, gated.call.decisions.refusedAs];
    };

    it('it waits', async () => {
      const id = await requested();
      expect(await noted()).toEqual([id, 'approval_required']);
    });

    it.each([
      ['rejected', [aDecision({ verdict: 'rejected' })], 'approval_rejected'],
      ['revoked', [aDecision(), aDecision({ verdict: 'revoked' })], 'approval_revoked'],
    ])('it was %s', async (_, decisions, reason) => {
      const id = await requested();
      for (const decision of decisions) await store.decide(id, decision);
      expect(await noted()).toEqual([id, reason]);
    });

    it('the named one has expired', async () => {
      const id = await approved();
      now += LIFETIME_MS;
      expect(await noted({ named: id })).toEqual([id, 'approval_expired']);
    });

    it('the named one was used', async () => {
      const id = await approved();
      await reasonOf();
      expect(await noted({ named: id })).toEqual([id, 'approval_used']);
    });

    it('the user at the host has refused', async () => {
      const id = await requested({ terms: FOR_CALLER });
      expect(await noted(answer(id, 'decline'))).toEqual([id, 'approval_rejected']);
    });

    it('the user at the host has refused what an operator approved', async () => {
      const id = await approved({ terms: FOR_CALLER });
      expect(await noted(answer(id, 'decline'))).toEqual([id, 'approval_rejected']);
    });

    it('the named one is for another call: its id is not recorded', async () => {
      const id = await approved();
      expect(await noted({ bound: aBoundCall({ args: {} }), named: id })).toEqual([null, null]);
    });

    it('nothing, for a call that is approved', async () => {
      await approved();
      expect(await noted()).toEqual([null, null]);
    });
  });

  it('asks two operators for a review', async () => {
    const review = { terms: { ...TERMS, effect: 'review' } as const };
    const id = await requested(review);
    await store.decide(id, aDecision());
    await expect(gate.admit(aGated(review))).rejects.toMatchObject({
      reason: 'approval_required',
      hint: expect.stringMatching(/^Two operators decide/),
    });
    await store.decide(id, aDecision({ by: 'ben' }));
    expect(await reasonOf(review)).toBe(id);
  });

  it('accepts the id of the approval, and no other', async () => {
    const id = await approved();
    expect(await reasonOf({ named: 'unknown' })).toBe('approval_mismatch');
    expect(await reasonOf({ named: '' })).toBe('approval_mismatch');
    expect(await reasonOf({ named: { id } })).toBe('approval_mismatch');
    expect(await reasonOf({ named: [id] })).toBe('approval_mismatch');
    expect(await reasonOf({ named: id })).toBe(id);
    expect(await reasonOf({ named: id })).toBe('approval_mismatch');
  });

  it('refuses a call that names an undecided or rejected approval', async () => {
    const id = await requested();
    expect(await reasonOf({ named: id })).toBe('approval_required');
    await store.decide(id, aDecision({ verdict: 'rejected' }));
    expect(await reasonOf({ named: id })).toBe('approval_denied');
  });

  it('stores long arguments in part, and binds all of them', async () => {
    const long = (end: string) => aBoundCall({ args: { query: `${'x'.repeat(69_152)}${end}` } });
    const id = await requested({ bound: long('a') });
    const { argumentsText = '', argumentsOmitted } = (await store.get(id)) ?? {};
    expect([argumentsText.length, argumentsOmitted]).toEqual([65_536, 3_629]);
    expect(await requested({ bound: long('b') })).not.toBe(id);
  });

  it('does not use an approval for a call that has ended', async () => {
    const id = await approved();
    const ended = { ...aGated().call, signal: AbortSignal.abort(new Error('over')) };
    await expect(gate.admit(aGated({ call: ended }))).rejects.toThrow('over');
    expect(await store.get(id)).toMatchObject({ state: 'approved' });
  });
});

describe('ApprovalGate: the host of the caller', () => {
  it('asks the user where the rule says so', async () => {
    expect(await reasonOf({ terms: FOR_CALLER })).toBe('approval_required');
    expect(asked).toMatchObject([{ tool: 'kb.search', state: 'pending' }]);
  });

  it('lets the call run when the user accepts', async () => {
    const id = await requested({ terms: FOR_CALLER });
    expect(await reasonOf(answer(id, 'accept'))).toBe(id);
    expect(events.slice(1)).toMatchObject([
      { type: 'approval.decided', decided_by: 'agent-key', via: 'host', verdict: 'approved' },
      { type: 'approval.used', approval_id: id },
    ]);
  });

  it('takes an answer once', async () => {
    const id = await requested({ terms: FOR_CALLER });
    const ended = await Promise.all([reasonOf(answer(id, 'accept')), reasonOf(answer(id, 'accept'))]);
    expect(ended.sort()).toEqual([id, 'approval_mismatch'].sort());
    expect(await reasonOf(answer(id, 'accept'))).toBe('approval_mismatch');
  });

  it('does not let the call run if another one has just used the approval', async () => {
    const id = await requested({ terms: FOR_CALLER });
    jest.spyOn(store, 'consume').mockResolvedValue(null);
    expect(await reasonOf(answer(id, 'accept'))).toBe('approval_mismatch');
  });

  it('goes by the decision of an operator who was faster than the user', async () => {
    const rejected = await requested({ terms: FOR_CALLER });
    await store.decide(rejected, aDecision({ verdict: 'rejected' }));
    expect(await reasonOf(answer(rejected, 'accept'))).toBe('approval_denied');
    now += LIFETIME_MS;
    const id = await approved({ terms: FOR_CALLER });
    expect(await reasonOf(answer(id, 'accept'))).toBe(id);
  });

  it('refuses the call that the user declines after an operator approved it, and keeps the approval', async () => {
    const id = await approved({ terms: FOR_CALLER });
    await expect(gate.admit(aGated(answer(id, 'decline')))).rejects.toMatchObject({
      reason: 'approval_denied',
      message: 'The user declined the call of kb.search.',
    });
    expect(await store.get(id)).toMatchObject({ state: 'approved' });
    expect(events.map(({ type }) => type)).toEqual(['approval.requested']);
  });

  it('does not ask about a request that was just approved', async () => {
    const granted = anApproval({ approver: 'caller', state: 'approved' });
    jest.spyOn(store, 'request').mockResolvedValue(granted);
    expect(await reasonOf({ terms: FOR_CALLER })).toBe('approval_required');
    expect(asked).toEqual([]);
  });

  it('refuses the call when the user declines, and does not ask again', async () => {
    const id = await requested({ terms: FOR_CALLER });
    expect(await reasonOf(answer(id, 'decline'))).toBe('approval_denied');
    expect(await reasonOf({ terms: FOR_CALLER })).toBe('approval_denied');
    expect(asked).toHaveLength(1);
  });

  it.each(['accept', 'decline'] as const)(
    'records the decision before it takes effect: %s',
    async (action) => {
      const id = await requested({ terms: FOR_CALLER });
      const states: (string | undefined)[] = [];
      recordDecision = async () => void states.push((await store.get(id))?.state);
      await reasonOf(answer(id, action));
      expect(states).toEqual(['pending']);
    },
  );

  it('decides nothing if the decision can not be recorded', async () => {
    const id = await requested({ terms: FOR_CALLER });
    const full = new BackendUnavailableError('full', { reason: 'ledger_not_writable', hint: 'x' });
    recordDecision = () => Promise.reject(full);
    expect(await reasonOf(answer(id, 'accept'))).toBe('ledger_not_writable');
    expect(await store.get(id)).toMatchObject({ state: 'pending', decisions: [] });
  });

  it('leaves the request open when the user does not decide', async () => {
    const id = await requested({ terms: FOR_CALLER });
    expect(await reasonOf(answer(id, 'cancel'))).toBe('approval_required');
    expect(await store.get(id)).toMatchObject({ state: 'pending' });
    expect(asked).toHaveLength(1);
  });

  it('neither asks about arguments that the question can not show in full, nor counts an answer', async () => {
    const long = { terms: FOR_CALLER, bound: aBoundCall({ args: { query: 'x'.repeat(1_000) } }) };
    const id = await requested(long);
    expect(await reasonOf({ ...long, ...answer(id, 'accept') })).toBe('approval_required');
    expect([asked, await store.get(id)]).toMatchObject([[], { state: 'pending', decisions: [] }]);
    expect(await reasonOf({ ...long, ...answer(id, 'decline') })).toBe('approval_denied');
  });

  it('does not count an answer for an altered call', async () => {
    const id = await requested({ terms: FOR_CALLER });
    const bound = aBoundCall({ args: { query: 'everything' } });
    expect(await reasonOf({ ...answer(id, 'accept'), bound })).toBe('approval_mismatch');
    expect(await store.get(id)).toMatchObject({ state: 'pending' });
  });

  it.each<[string, GatedCall['terms']]>([
    ['operators', TERMS],
    ['a review', { ...TERMS, effect: 'review' }],
  ])('does not count an answer where the rule asks for %s', async (_, terms) => {
    const id = await requested({ terms });
    expect(await reasonOf({ terms, answer: { state: id, action: 'accept' } })).toBe('approval_required');
    expect(await store.get(id)).toMatchObject({ state: 'pending' });
  });

  it('applies an answer only to the approval that the call names', async () => {
    const id = await requested({ terms: FOR_CALLER });
    expect(await reasonOf({ ...answer(id, 'accept'), named: 'other' })).toBe('approval_mismatch');
    expect(await reasonOf({ ...answer('other', 'accept'), named: id })).toBe('approval_mismatch');
    expect(await reasonOf({ ...answer(id, 'accept'), named: id })).toBe(id);
  });

  it('refuses a call whose host cannot ask', async () => {
    expect(await reasonOf({ terms: FOR_CALLER, ask: null })).toBe('approval_required');
  });
});

describe('ApprovalGate: rules that begin and end with the time of day', () => {
  const until = { from: '00:00', to: '17:52', time_zone: 'UTC' };
  const MILD = { name: 'soft-hours', effect: 'approve', approver: 'caller' } as const;
  const STRICT = { name: 'hard-hours', effect: 'review' } as const;
  const clock = (text: string): number => Date.parse(`2026-01-01T${text}:00Z`);
  const facts = { tool: 'kb.search', safety: 'read', agent: 'support', principal: 'agent-key' } as const;
  const { scope } = aBoundCall();
  /** The call as the policy decides about it at a time. */
  const at = (time: string, rules: readonly PolicyRule[]): Partial<GatedCall> => {
    now = clock(time);
    const { rule, approval } = decideCall(rules, { ...facts, scope, at: now });
    return { rule, terms: approval ?? TERMS };
  };
  const softThenHard = [{ ...MILD, time: until }, STRICT];
  const hardThenSoft = [{ ...STRICT, time: until }, MILD];

  it('takes no answer of the user once the rule asks for a review', async () => {
    const id = await requested(at('17:50', softThenHard));
    const accepted = { answer: { state: id, action: 'accept' } } as const;
    expect(await reasonOf({ ...at('17:52', softThenHard), ...accepted })).toBe('approval_mismatch');
    expect(await store.get(id)).toMatchObject({ state: 'pending', decisions: [] });
    expect(await reasonOf({ ...at('17:51', softThenHard), ...accepted })).toBe(id);
  });

  it('does not use one approval where two are needed now', async () => {
    const id = await approved(at('17:50', softThenHard));
    expect(await reasonOf(at('17:52', softThenHard))).toBe('approval_required');
    expect(await reasonOf({ ...at('17:52', softThenHard), named: id })).toBe('approval_mismatch');
    expect(await reasonOf(at('17:51', softThenHard))).toBe(id);
  });

  it('asks again by the milder rule', async () => {
    const id = await approved(at('17:50', hardThenSoft));
    const next = await requested(at('17:52', hardThenSoft));
    expect(next).not.toBe(id);
    expect(await store.get(next)).toMatchObject({
      rule: 'soft-hours',
      effect: 'approve',
      approver: 'caller',
    });
    const accepted = { answer: { state: next, action: 'accept' } } as const;
    expect(await reasonOf({ ...at('17:53', hardThenSoft), ...accepted })).toBe(next);
  });
});
