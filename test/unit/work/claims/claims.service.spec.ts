import type { Call } from '../../../../src/core/call';
import type { Approval } from '../../../../src/governance/approvals/approval.js';
import { ApprovalStore } from '../../../../src/governance/approvals/approval-store.js';
import type { SqlDatabase } from '../../../../src/sqlite/stores/sql-database.port.js';
import { ClaimStore } from '../../../../src/work/claims/claim-store';
import { ClaimDecisionsService, ClaimsService } from '../../../../src/work/claims/claims.service';
import { EvidenceCheckerService } from '../../../../src/work/claims/evidence-checker.service';
import { QuoteVerifierService } from '../../../../src/work/claims/quote-verifier.service';
import { aDecision, aRequest } from '../../../support/an-approval';
import { aCall, aCandidate, FixedIndex, SECRET } from '../../../support/builders';
import { approvalsIn } from '../../../support/governance-stores.js';
import { registeredSchemas } from '../../../support/registered-schemas';
import { somePassages } from '../../../support/some-passages';
import { type TestFolder, testFolder } from '../../../support/test-folder';
import { boundedWork } from '../../../support/work-stores.js';

const TEXT = 'Set `max_retries` to 5.\nIt is\nread at start. It is read again.';

let folder: TestFolder;
let database: SqlDatabase;
let store: ClaimStore;
let approvals: ApprovalStore;
let service: ClaimsService;

beforeEach(() => {
  folder = testFolder();
  approvals = approvalsIn({ file: folder.file('g.sqlite'), creates: true, now: () => 0 });
  const index = new FixedIndex([
    aCandidate({ section: { id: 'guide.md#use', text: TEXT } }),
    aCandidate({ section: { id: 'hr.md' }, document: { path: 'hr.md', docTag: 'hr' } }),
  ]);
  const work = boundedWork(folder.file('w.sqlite'));
  database = work.database;
  store = new ClaimStore(work, index);
  const checker = new EvidenceCheckerService(new QuoteVerifierService(index), somePassages());
  const schemas = registeredSchemas({ name: 'fact', version: 3 });
  service = new ClaimsService(store, checker, schemas, { secret: SECRET, isLasting: true });
});
afterEach(async () => {
  await database.close();
  await approvals.close();
  folder.remove();
});

const create = (piece: object, call: Call = aCall(), more: object = {}) =>
  service.create(call, {
    statement: 'It is read.',
    evidence: [{ section_id: 'guide.md#use', quote: '', stance: 'supports', ...piece }],
    ...more,
  });

describe('ClaimsService', () => {
  it.each([
    ['as the section has it', { quote: 'It is read at start.' }, 'It is\nread at start.'],
    ['with whole words', { quote: 'retries` to 5' }, 'max_retries` to 5'],
    ['at the place that is meant', { quote: 'It is', start_char: 40 }, 'It is'],
  ])('stores a quote %s', async (_, piece, quote) => {
    const { output } = await create(piece);
    const [stored] = output.evidence;
    expect(stored).toMatchObject({ quote, section_id: 'guide.md#use' });
    expect(TEXT.slice(stored?.start_char, stored?.end_char)).toBe(quote);
    if ('start_char' in piece) expect(stored?.start_char).toBe(TEXT.lastIndexOf('It is'));
  });

  it.each([
    ['another text', { quote: 'It is read twice.' }],
    ['another case', { quote: 'it is read' }],
    ['an unknown section', { section_id: 'none.md', quote: 'It is' }],
    ['a section outside the scope', { section_id: 'hr.md', quote: 'Use it.' }],
  ])('refuses %s with one error, and stores nothing', async (_, piece) => {
    const call = aCall({ scope: { docTags: ['guides'] } });
    await expect(create(piece, call)).rejects.toMatchObject({
      message: 'Quote 1 is not in this section.',
      reason: 'quote_not_found',
    });
    expect((await service.list(call, { limit: 9 })).output.claims).toEqual([]);
  });

  it('refuses a quote without words', async () => {
    await expect(create({ quote: '`' })).rejects.toMatchObject({ reason: 'quote_without_words' });
  });

  it('stores data with the version of its schema, as canonical JSON', async () => {
    const more = { schema: { name: 'fact' }, data: '{"b":1, "a":[2]}' };
    const { claim_id } = (await create({ quote: 'It is' }, aCall(), more)).output;
    const { output } = await service.get(aCall(), { claim_id });
    expect([output.schema, output.data]).toEqual([
      { name: 'fact', version: 3 },
      { a: [2], b: 1 },
    ]);
    expect(await store.get(aCall().scope, claim_id)).toMatchObject({ data: { json: '{"a":[2],"b":1}' } });
  });

  it.each([
    ['an unknown schema', { schema: { name: 'none' }, data: '1' }, 'schema_not_found'],
    ['data that is no JSON', { schema: { name: 'fact' }, data: '{' }, 'json_invalid'],
    ['a number that JSON has not', { schema: { name: 'fact' }, data: '1e999' }, 'json_invalid'],
  ])('refuses %s, and stores nothing', async (_, more, reason) => {
    await expect(create({ quote: 'It is' }, aCall(), more)).rejects.toMatchObject({ reason });
    expect((await service.list(aCall(), { limit: 9 })).output.claims).toEqual([]);
  });

  it('walks the list of claims while others are made', async () => {
    for (let i = 0; i < 3; i++) await create({ quote: 'It is' });
    const first = (await service.list(aCall(), { limit: 2 })).output;
    await create({ quote: 'It is' });
    const second = (await service.list(aCall(), { limit: 2, cursor: first.next_cursor })).output;
    const ids = [...first.claims, ...second.claims].map(({ claim_id }) => claim_id);
    expect([new Set(ids).size, second.next_cursor]).toEqual([3, null]);
    const other = service.list(aCall(), { limit: 2, cursor: first.next_cursor, state: 'open' });
    await expect(other).rejects.toMatchObject({ reason: 'cursor_invalid' });
  });
});

describe('ClaimDecisionsService', () => {
  const decide = async (call: Call, made: object = {}, sent: object = {}) => {
    const { claim_id } = (await create({ quote: 'It is' }, aCall(), made)).output;
    const decisions = new ClaimDecisionsService(service, store, approvals);
    const decision = { decision: 'accept', reason: 'Read.' } as const;
    const input = { claim_id, statement: 'It is read.', ...decision, ...sent };
    const result = await decisions.decide(call, input).catch((error: unknown) => error);
    return { result, state: (await store.get(call.scope, claim_id))?.state };
  };
  const approved = async (more: object, by: object): Promise<Approval | null> => {
    await approvals.request(aRequest({ id: 'a1', binding: 'b1', ...more }));
    await approvals.decide('a1', aDecision(by));
    return approvals.consume({ binding: 'b1', callId: 'call-1' });
  };
  const withApproval = (id: string | null): Call => {
    const call = aCall();
    if (id !== null) call.decisions.decide({ approvalId: id });
    return call;
  };

  it('records the operators who approved', async () => {
    await approved({}, { by: 'olga' });
    const { result, state } = await decide(withApproval('a1'));
    expect(result).toMatchObject({ output: { decisions: [{ decided_by: ['olga'], proposed_by: 'local' }] } });
    expect(state).toBe('accepted');
  });

  it('is about the evidence of the time of the approval, not of the call', async () => {
    await approved({}, { by: 'olga' });
    expect((await decide(withApproval('a1'))).result).toMatchObject({
      output: { evidence_total: 1, evidence_added_after_decision: 1 },
    });
  });

  const FACT = { schema: { name: 'fact' }, data: '{"a": 1}' };
  it.each([
    ['accepted', FACT, { data: ' {"a":1}' }],
    ['open', FACT, { data: '{"a":2}' }],
    ['open', FACT, {}],
    ['open', {}, { data: '{"a":1}' }],
  ])('leaves a claim %s that was made with %j, and is decided with %j', async (expected, made, sent) => {
    await approved({}, { by: 'olga' });
    const { result, state } = await decide(withApproval('a1'), made, sent);
    expect(state).toBe(expected);
    if (state === 'open') expect(result).toMatchObject({ reason: 'data_differs' });
  });

  it.each([null, 'none'])('decides nothing with the approval %s', async (id) => {
    const { result, state } = await decide(withApproval(id));
    expect([Object(result).reason, state]).toEqual(['approval_required', 'open']);
  });

  it('decides nothing by the approval of the caller', async () => {
    await approved({ approver: 'caller', principal: 'local' }, { by: 'local', via: 'host' });
    expect((await decide(withApproval('a1'))).state).toBe('open');
  });

  it('decides nothing by the approval of another call', async () => {
    await approved({}, { by: 'olga' });
    expect((await decide({ ...withApproval('a1'), id: 'call-2' })).state).toBe('open');
  });
});
