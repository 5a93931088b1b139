import type { Scope } from '../../src/core/scope.js';
import { type Approval, MAX_PENDING_APPROVALS } from '../../src/governance/approvals/approval.js';
import { type ApprovalStore } from '../../src/governance/approvals/approval-store.js';
import { aDecision, aRequest, LIFETIME_MS, REQUESTED_AT } from '../support/an-approval.js';

/** An empty store. */
export interface ApprovalStoreSubject {
  /** Opens the store, as one process does. */
  readonly open: () => ApprovalStore;
  /** The time from now on; ms since the epoch. */
  readonly setTime: (at: number) => void;
  readonly remove: () => Promise<void>;
}

const idsOf = (approvals: readonly Approval[]): string[] => approvals.map(({ id }) => id);
const use = (callId: string) => ({ binding: 'binding-1', callId });
const failingWith = (reason: string) => expect.objectContaining({ reason });

/** The behaviour of every store of approvals. */
export function approvalStoreContract(name: string, make: () => Promise<ApprovalStoreSubject>): void {
  let subject: ApprovalStoreSubject;
  let store: ApprovalStore;
  const opened: ApprovalStore[] = [];
  const open = (): ApprovalStore => {
    const one = subject.open();
    opened.push(one);
    return one;
  };
  beforeEach(async () => {
    subject = await make();
    subject.setTime(REQUESTED_AT);
    store = open();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await subject.remove();
  });

  describe(`${name}: requests`, () => {
    it('keeps a request unchanged, pending until it expires', async () => {
      const request = aRequest({ argumentsText: '{"question":"Ä 😀 \\u0000"}', argumentsOmitted: 7 });
      const kept = await store.request(request);
      expect(kept).toEqual({
        ...request,
        state: 'pending',
        requestedAt: REQUESTED_AT,
        expiresAt: REQUESTED_AT + LIFETIME_MS,
        decisions: [],
        usedBy: null,
        usedAt: null,
      });
      expect(await open().get('approval-1')).toEqual(kept);
    });

    it('returns null for an unknown id', async () => {
      expect(await store.get('nobody')).toBeNull();
    });

    it('keeps one request for equal calls', async () => {
      await store.request(aRequest());
      expect(await open().request(aRequest({ id: 'approval-2' }))).toMatchObject({ id: 'approval-1' });
      expect(idsOf(await store.list({ limit: 10 }))).toEqual(['approval-1']);
    });

    it('keeps one request of several that are made at once', async () => {
      const stores = [store, open(), open(), open()];
      const made = await Promise.all(
        stores.map((each, i) => each.request(aRequest({ id: `approval-${i}` }))),
      );
      expect(new Set(idsOf(made)).size).toBe(1);
    });

    it('returns a rejected request for an equal call until it expires', async () => {
      await store.request(aRequest());
      await store.decide('approval-1', aDecision({ verdict: 'rejected' }));
      expect(await store.request(aRequest({ id: 'approval-2' }))).toMatchObject({
        id: 'approval-1',
        state: 'rejected',
      });
      subject.setTime(REQUESTED_AT + LIFETIME_MS);
      expect(await store.request(aRequest({ id: 'approval-3' }))).toMatchObject({
        id: 'approval-3',
        state: 'pending',
      });
    });

    it('stores a new request after the use of the first', async () => {
      await store.request(aRequest());
      await store.decide('approval-1', aDecision());
      await store.consume(use('call-2'));
      expect(await store.request(aRequest({ id: 'approval-2' }))).toMatchObject({
        id: 'approval-2',
        state: 'pending',
      });
    });

    it('limits the pending requests of a principal', async () => {
      for (let i = 0; i < MAX_PENDING_APPROVALS; i++) {
        await store.request(aRequest({ id: `approval-${i}`, binding: `binding-${i}` }));
      }
      const further = { id: 'further', binding: 'further' };
      await expect(store.request(aRequest(further))).rejects.toEqual(failingWith('approvals_pending'));
      expect(await store.request(aRequest({ ...further, principal: 'other' }))).toMatchObject({
        id: 'further',
      });
      expect(await store.request(aRequest({ id: 'again', binding: 'binding-0' }))).toMatchObject({
        id: 'approval-0',
      });
    });
  });

  describe(`${name}: lists`, () => {
    beforeEach(async () => {
      await store.request(aRequest({ id: 'a', binding: 'a' }));
      subject.setTime(REQUESTED_AT + 1);
      await store.request(aRequest({ id: 'b', binding: 'b' }));
      await store.request(aRequest({ id: 'c', binding: 'c' }));
    });

    it('lists the newest first, and requests of the same time by id', async () => {
      expect(idsOf(await store.list({ limit: 10 }))).toEqual(['c', 'b', 'a']);
    });

    it('lists page by page', async () => {
      expect(idsOf(await store.list({ limit: 2 }))).toEqual(['c', 'b']);
      expect(idsOf(await store.list({ limit: 2, after: 'b' }))).toEqual(['a']);
      expect(await store.list({ limit: 2, after: 'a' })).toEqual([]);
      expect(await store.list({ limit: 2, after: 'unknown' })).toEqual([]);
    });

    it('lists one state', async () => {
      await store.decide('a', aDecision());
      await store.decide('b', aDecision({ verdict: 'rejected' }));
      expect(idsOf(await store.list({ state: 'approved', limit: 10 }))).toEqual(['a']);
      expect(idsOf(await store.list({ state: 'rejected', limit: 10 }))).toEqual(['b']);
      expect(idsOf(await store.list({ state: 'pending', limit: 10 }))).toEqual(['c']);
      await store.consume({ binding: 'a', callId: 'call-2' });
      expect(idsOf(await store.list({ state: 'used', limit: 10 }))).toEqual(['a']);
    });

    describe('within a scope', () => {
      const GUIDES = {
        projectId: 'docs',
        environment: 'prod',
        docTags: ['guide', 'a "b" ]'],
        repositories: null,
      };
      const ofScope = async (id: string, scope: Partial<Scope>): Promise<void> =>
        void (await store.request(
          aRequest({
            id,
            binding: id,
            scope: { ...GUIDES, ...scope },
            argumentsText: '{"x":"\\u0000\\ud800"}',
          }),
        ));
      const within = async (scope: Partial<Scope>, limit = 10): Promise<string[]> =>
        idsOf(await store.list({ scope: { ...GUIDES, ...scope }, limit }));

      beforeEach(async () => {
        subject.setTime(REQUESTED_AT + 2);
        await ofScope('d', {});
        await ofScope('e', { docTags: ['guide'], repositories: ['pith'] });
        await ofScope('f', { docTags: [] });
        await ofScope('g', { docTags: ['guide', 'hr\0\ud800'] });
        await ofScope('h', { projectId: 'other' });
        await ofScope('i', { environment: 'dev' });
      });

      it.each<[string, Partial<Scope>, string[]]>([
        ['tags', {}, ['f', 'e', 'd']],
        ['other tags', { docTags: ['guide'] }, ['f', 'e']],
        ['no tag', { docTags: [] }, ['f']],
        ['repositories', { docTags: null, repositories: ['pith'] }, ['e', 'c', 'b', 'a']],
        ['every document', { docTags: null }, ['g', 'f', 'e', 'd', 'c', 'b', 'a']],
        ['every project', { projectId: '' }, ['h', 'f', 'e', 'd']],
        ['every project and environment', { projectId: '', environment: '' }, ['i', 'h', 'f', 'e', 'd']],
      ])('lists only requests that it covers: %s', async (_, scope, ids) => {
        expect(await within(scope)).toEqual(ids);
      });

      it.each<[string, Scope['groups'], string[]]>([
        ['no group', [], ['l', 'd']],
        ['one group', ['eng'], ['l', 'k', 'd']],
        ['all groups', null, ['l', 'k', 'j', 'd']],
        ['no list of groups', undefined, ['l', 'd']],
      ])('lists only requests whose groups it has, whatever arguments say: %s', async (_, groups, ids) => {
        const forged = { reason: '"groups":[],', argumentsText: '{"groups":[],"a":{"groups":["eng"]}}' };
        const ofGroups = async (id: string, own: Pick<Scope, 'groups'>): Promise<void> =>
          void (await store.request(aRequest({ id, binding: id, scope: { ...GUIDES, ...own }, ...forged })));
        await ofGroups('j', { groups: null });
        await ofGroups('k', { groups: ['eng'] });
        await ofGroups('l', { groups: [] });
        const listed = await within(groups === undefined ? {} : { groups });
        expect(listed.filter((id) => 'djkl'.includes(id))).toEqual(ids);
      });

      it('fills the page with them', async () => {
        expect(await within({ docTags: null, repositories: ['pith'] }, 3)).toEqual(['e', 'c', 'b']);
        const query = { scope: { ...GUIDES, docTags: null, repositories: ['pith'] }, after: 'c', limit: 3 };
        expect(idsOf(await store.list(query))).toEqual(['b', 'a']);
        expect(await store.list({ ...query, state: 'rejected' })).toEqual([]);
      });
    });

    it('lists requests as expired when their time is over', async () => {
      await store.decide('b', aDecision());
      subject.setTime(REQUESTED_AT + 1 + LIFETIME_MS);
      expect(idsOf(await store.list({ state: 'expired', limit: 10 }))).toEqual(['c', 'b', 'a']);
      expect(await store.list({ state: 'pending', limit: 10 })).toEqual([]);
      expect(await store.list({ state: 'approved', limit: 10 })).toEqual([]);
    });

    it('removes requests that expired before a time', async () => {
      expect(await store.purge(REQUESTED_AT + LIFETIME_MS + 1)).toBe(1);
      expect(idsOf(await store.list({ limit: 10 }))).toEqual(['c', 'b']);
    });
  });

  describe(`${name}: decisions`, () => {
    beforeEach(async () => {
      await store.request(aRequest());
    });

    it('records who decided, how, when and why', async () => {
      subject.setTime(REQUESTED_AT + 5);
      const decision = aDecision({ verdict: 'rejected', via: 'admin', reason: 'Not today.' });
      const decided = await store.decide('approval-1', decision);
      expect(decided).toMatchObject({
        state: 'rejected',
        decisions: [{ ...decision, at: REQUESTED_AT + 5 }],
      });
      expect(await open().get('approval-1')).toEqual(decided);
    });

    it('refuses a second decision', async () => {
      await store.decide('approval-1', aDecision());
      const second = store.decide('approval-1', aDecision({ by: 'ben', verdict: 'rejected' }));
      await expect(second).rejects.toEqual(failingWith('approval_not_pending'));
      expect(await store.get('approval-1')).toMatchObject({ state: 'approved' });
    });

    it('accepts one of several decisions that are made at once', async () => {
      const stores = [store, open(), open(), open()];
      const decided = await Promise.allSettled(
        stores.map((each, i) => each.decide('approval-1', aDecision({ by: `operator-${i}` }))),
      );
      expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await store.get('approval-1'))?.decisions).toHaveLength(1);
    });

    it('refuses decisions of the principal, of an unknown request, and too late', async () => {
      await expect(store.decide('approval-1', aDecision({ by: 'agent-key' }))).rejects.toEqual(
        failingWith('own_call'),
      );
      await expect(store.decide('nobody', aDecision())).rejects.toEqual(failingWith('approval_not_found'));
      subject.setTime(REQUESTED_AT + LIFETIME_MS);
      await expect(store.decide('approval-1', aDecision())).rejects.toEqual(
        failingWith('approval_not_pending'),
      );
    });

    it('needs two operators for a review', async () => {
      await store.request(aRequest({ id: 'review', binding: 'review', effect: 'review' }));
      expect(await store.decide('review', aDecision())).toMatchObject({ state: 'pending' });
      await expect(open().decide('review', aDecision())).rejects.toEqual(
        failingWith('approval_already_decided'),
      );
      expect(await open().decide('review', aDecision({ by: 'ben' }))).toMatchObject({ state: 'approved' });
    });
  });

  describe(`${name}: use`, () => {
    beforeEach(async () => {
      await store.request(aRequest());
    });

    it('uses a granted approval once', async () => {
      await store.decide('approval-1', aDecision());
      subject.setTime(REQUESTED_AT + 9);
      const used = await store.consume(use('call-2'));
      expect(used).toMatchObject({
        id: 'approval-1',
        state: 'used',
        usedBy: 'call-2',
        usedAt: REQUESTED_AT + 9,
      });
      expect(await store.consume(use('call-3'))).toBeNull();
      expect(await open().get('approval-1')).toEqual(used);
    });

    it('uses an approval once when several processes try at once', async () => {
      await store.decide('approval-1', aDecision());
      const stores = [store, open(), open(), open()];
      const used = await Promise.all(stores.map((each, i) => each.consume(use(`call-${i}`))));
      expect(used.filter((one) => one !== null)).toHaveLength(1);
    });

    it('does not use what is pending, rejected or for another call', async () => {
      expect(await store.consume(use('call-2'))).toBeNull();
      await store.decide('approval-1', aDecision({ verdict: 'rejected' }));
      expect(await store.consume(use('call-2'))).toBeNull();
      expect(await store.consume({ binding: 'binding-2', callId: 'call-2' })).toBeNull();
    });

    it('does not use a granted approval that has expired', async () => {
      await store.decide('approval-1', aDecision());
      subject.setTime(REQUESTED_AT + LIFETIME_MS);
      expect(await store.consume(use('call-2'))).toBeNull();
      expect(await store.get('approval-1')).toMatchObject({ state: 'expired', usedBy: null });
    });

    it('does not use a granted approval that was revoked, and asks for no new one until its time is over', async () => {
      await store.decide('approval-1', aDecision());
      const revoked = await open().decide('approval-1', aDecision({ by: 'ben', verdict: 'revoked' }));
      expect(revoked).toMatchObject({
        state: 'rejected',
        decisions: [{ by: 'ann' }, { verdict: 'revoked' }],
      });
      expect(await store.consume(use('call-2'))).toBeNull();
      expect(await store.request(aRequest({ id: 'approval-2' }))).toMatchObject({ id: 'approval-1' });
    });

    it('either uses or revokes an approval when both happen at once', async () => {
      await store.decide('approval-1', aDecision());
      const [used, revoked] = await Promise.allSettled([
        store.consume(use('call-2')),
        open().decide('approval-1', aDecision({ verdict: 'revoked' })),
      ]);
      const isUsed = used.status === 'fulfilled' && used.value !== null;
      expect(isUsed).toBe(revoked.status === 'rejected');
    });

    it('uses only the approval that the call names', async () => {
      await store.decide('approval-1', aDecision());
      expect(await store.consume({ ...use('call-2'), id: 'approval-2' })).toBeNull();
      expect(await store.consume({ ...use('call-2'), id: 'approval-1' })).toMatchObject({ state: 'used' });
    });

    it('keeps a decision and a use over a restart', async () => {
      await store.decide('approval-1', aDecision());
      await store.close();
      const after = open();
      expect(await after.consume(use('call-2'))).toMatchObject({ state: 'used' });
      await after.close();
      expect(await open().consume(use('call-3'))).toBeNull();
    });

    it('fails when it is used after it was closed', async () => {
      await store.close();
      const closed = { code: 'BACKEND_UNAVAILABLE' };
      await expect(store.list({ limit: 1 })).rejects.toMatchObject(closed);
      await expect(store.consume(use('call-2'))).rejects.toMatchObject(closed);
      await expect(store.purge(0)).rejects.toMatchObject(closed);
    });
  });
}
