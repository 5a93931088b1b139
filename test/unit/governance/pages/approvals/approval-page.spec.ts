import { InvalidArgumentError } from '../../../../../src/core/errors.js';
import type { Approval } from '../../../../../src/governance/approvals/approval.js';
import {
  approvalPage,
  type ApprovalView,
} from '../../../../../src/governance/pages/approvals/approval-page.js';
import { FRAME } from '../../../../support/admin-parts.js';
import { aDecision, anApproval, REQUESTED_AT } from '../../../../support/an-approval.js';

const MINUTE = 60_000;

function shown(approval: Partial<Approval> = {}, view: Partial<ApprovalView> = {}): string {
  return approvalPage({
    approval: anApproval(approval),
    operator: 'ann',
    mayDecide: true,
    seesRuns: true,
    objection: null,
    token: 'the-token',
    now: REQUESTED_AT + MINUTE,
    frame: FRAME,
    ...view,
  }).replace(/\s+/g, ' ');
}

/** The words of a page, without markup. */
const textOf = (page: string): string =>
  page
    .replace(/<style>.*<\/style>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');

const refusal = (reason: string) => new InvalidArgumentError('It is not possible.', { reason, hint: 'Ask.' });

describe('approvalPage', () => {
  it('says what would be done, in words', () => {
    const text = textOf(shown({ safety: 'external', reason: 'Posts are public.' }));
    expect(text).toContain(
      'Agent support of principal agent-key wants to call kb.search, which acts outside this server.',
    );
    expect(text).toContain('project docs, environment prod; tags: all; repositories: pith');
    expect(text).toContain('search-needs-approval: Posts are public.');
    expect(text).toContain('It needs one operator, and expires in 59 min');
  });

  it('links the run of the call, for operators who may see it', () => {
    const link = 'href="/admin/runs/run?id=run-1"';
    expect(shown({ runId: 'run-1' })).toContain(link);
    const page = shown({ runId: 'run-1' }, { seesRuns: false });
    expect(page).not.toContain(link);
    expect(textOf(page)).toContain('Run run-1');
  });

  it('shows the arguments as text, with codes for invisible characters', () => {
    const page = shown({ argumentsText: JSON.stringify({ to: 'a\u202eb\u200b', note: '</code><b>&' }) });
    expect(page).toContain('a<mark title="invisible character">\\u202e</mark>b');
    expect(page).toContain('<mark title="invisible character">\\u200b</mark>');
    expect(page).toContain('&lt;/code&gt;&lt;b&gt;&amp;');
    expect(page).toContain('stand for characters');
  });

  it('shows long arguments in full', () => {
    const text = 'x'.repeat(100_000);
    expect(shown({ argumentsText: JSON.stringify({ text }) })).toContain(text);
  });

  it('has a form with a token for a pending request', () => {
    const page = shown();
    expect(page).toContain('<form method="post" action="/admin/approvals/approval-1"');
    expect(page).toContain('name="token" value="the-token"');
    expect(textOf(page)).toContain('Approve Reject');
  });

  it.each<[string, Partial<Approval>, Partial<ApprovalView>]>([
    ['it is approved and the operator lacks the permission', { state: 'approved' }, { mayDecide: false }],
    ['it was used', { state: 'used', usedBy: 'call-2', usedAt: REQUESTED_AT }, {}],
    ['it is rejected', { state: 'rejected' }, {}],
    ['it has expired', { state: 'expired' }, {}],
    ['the operator lacks the permission', {}, { mayDecide: false }],
    ['it is the call of the operator', {}, { objection: refusal('own_call') }],
    ['the operator has decided before', {}, { objection: refusal('approval_already_decided') }],
  ])('has no form if %s', (_, approval, view) => {
    expect(shown(approval, view)).not.toContain('<form');
  });

  it('offers to revoke what is approved and not used', () => {
    const page = shown({ state: 'approved' });
    expect(page).toContain('<form method="post" action="/admin/approvals/approval-1"');
    expect(page.match(/name="decision" value="\w+"/g)).toEqual(['name="decision" value="revoke"']);
  });

  it('offers only to reject arguments that are not shown in full, and marks what is missing', () => {
    const approval = { argumentsText: '{"text":"beginning', argumentsOmitted: 1_234 };
    const page = shown(approval, { objection: refusal('arguments_not_shown') });
    expect(textOf(page)).toContain('Not all arguments are shown. 1,234 characters are missing at the end.');
    expect(textOf(page)).toContain('It is not possible. Ask.');
    expect(page).toContain('value="reject"');
    expect(page).not.toContain('value="approve"');
  });

  it.each<[Partial<Approval>, string]>([
    [{}, 'This call waits for approval.'],
    [{ state: 'approved' }, 'This call is approved, not used yet.'],
    [{ state: 'used', usedBy: 'call-2', usedAt: REQUESTED_AT }, 'This call is approved and used.'],
    [{ state: 'rejected' }, 'This call is rejected.'],
    [{ state: 'expired' }, 'This request has expired.'],
  ])('shows the state first, as a status: %j', (approval, words) => {
    const page = shown(approval);
    expect(page).toMatch(/id="state" role="status" tabindex="-1"/);
    expect(textOf(page)).toContain(words);
    expect(page.indexOf('id="state"')).toBeLessThan(page.indexOf('id="call"'));
  });

  it('shows the decisions', () => {
    const decision = { ...aDecision({ reason: 'fine <b>', via: 'webhook' }), at: REQUESTED_AT };
    const text = textOf(shown({ state: 'approved', decisions: [decision] }));
    expect(text).toMatch(/approvedannwebhookfine &lt;b&gt;/);
  });
});
