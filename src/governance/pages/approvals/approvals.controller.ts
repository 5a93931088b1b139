import { Header, Injectable, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AdminController, Admits, ChangesSomething, HtmlPage, SignedIn } from '../../../admin/admin.guard.js';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { parseGiven, typedText } from '../../../admin/admin-query.js';
import { FormTokens } from '../../../admin/forms/form-tokens.js';
import {
  checkForm,
  FORM_REFERRER,
  mayDecide,
  placesIn,
  readOurForm,
  tokenFor,
} from '../../../admin/forms/operator-forms.js';
import { OperatorScopesService } from '../../../admin/operator-scopes.service.js';
import { card } from '../../../admin/views/card.js';
import { type Html, html, seenName, timeAt } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { listTable, type PageColumn } from '../../../admin/views/table.js';
import { type Scope, scopeCovers } from '../../../core/scope.js';
import { type Principal, principalOf } from '../../../mcp/principals.js';
import { type Approval, type ApprovalQuery, type ApprovalState } from '../../approvals/approval.js';
import { ApprovalStore } from '../../approvals/approval-store.js';
import { needText } from '../../approvals/approval-words.js';
import { OperatorDecisions } from '../../approvals/operator-decisions.js';
import { GovernanceService } from '../../governance.service.js';
import { approvalPage } from './approval-page.js';
import { stateMark } from './approval-state.js';

interface ApprovalsView {
  readonly pending: ApprovalRows;
  /** The request before this page of those that wait; undefined on the first page. */
  readonly after: string | undefined;
  /** The newest requests that no longer wait. */
  readonly recent: readonly Approval[];
  readonly frame: Frame;
}

const PATH = '/admin/approvals';

const CALL: readonly PageColumn<Approval>[] = [
  {
    name: 'Requested',
    isHead: true,
    cell: ({ id, requestedAt }) => html`<a href="/admin/approvals/${id}">${timeAt(requestedAt)}</a>`,
  },
  { name: 'Tool', cell: ({ tool }) => seenName(tool) },
  { name: 'Kind', cell: ({ safety }) => safety },
  { name: 'Agent', cell: ({ agent }) => seenName(agent) },
  { name: 'Principal', cell: ({ principal }) => seenName(principal) },
  { name: 'Rule', cell: ({ rule }) => seenName(rule) },
];
const PENDING: readonly PageColumn<Approval>[] = [
  ...CALL,
  { name: 'Needs', cell: needText },
  { name: 'Expires', cell: ({ expiresAt }) => timeAt(expiresAt) },
];
const RECENT: readonly PageColumn<Approval>[] = [
  ...CALL,
  { name: 'State', cell: stateMark },
  {
    name: 'Decided by',
    cell: ({ decisions }) =>
      decisions.length === 0 ? null : seenName(decisions.map(({ by }) => by).join(', ')),
  },
];

function pendingCard({ pending: { rows, next }, after }: ApprovalsView): Html {
  const list = listTable({
    caption: after === undefined ? 'Newest first' : 'Older requests, newest first',
    rows,
    columns: PENDING,
    empty: 'No call waits for approval.',
    pages: { path: PATH, query: { after }, by: 'after', next },
  });
  return card('pending', 'Waiting for approval', list);
}

/** States of requests that no longer wait. */
const PAST_STATES: readonly ApprovalState[] = ['approved', 'used', 'rejected', 'expired'];

/** The calls that wait for approval, and recent decisions. */
function approvalsPage(view: ApprovalsView): string {
  const { recent, frame } = view;
  const empty = 'No request was decided or has expired yet.';
  const past = listTable({ caption: 'Newest first', rows: recent, columns: RECENT, empty });
  return page({
    title: 'Approvals',
    place: '/admin/approvals',
    frame,
    lead: 'Calls that wait until an operator approves them. Open a call to see its arguments and decide.',
    content: html`${pendingCard(view)} ${card('recent', 'Recently decided or expired', past)}`,
  });
}

/** The page of a server on which no rule requires approval. */
function noApprovalsPage(frame: Frame): string {
  return page({
    title: 'Approvals',
    place: '/admin/approvals',
    frame,
    content: html`<h1>Approvals</h1>
      <p class="empty">
        No policy rule of this server requires approval (effects <code>approve</code> and
        <code>review</code>), so no call waits here. To require approval, add such a rule to the governance
        file. See <code>docs/approvals.md</code>.
      </p>`,
  });
}

/** One page of a list. */
interface ApprovalRows {
  readonly rows: readonly Approval[];
  /** The id after which the next page begins; null on the last page. */
  readonly next: string | null;
}

/** True if an operator with a scope may see a request. @param scope  null: all requests */
export const isSeen = (scope: Scope | null, approval: Approval): boolean =>
  scope === null || scopeCovers(scope, approval.scope);

/**
 * A page of requests within the scope of an operator, newest first.
 * @param scope  null: all requests
 */
export async function findApprovals(
  store: Pick<ApprovalStore, 'list'>,
  query: ApprovalQuery,
  scope: Scope | null,
): Promise<ApprovalRows> {
  const { limit } = query;
  const found = await store.list({ ...query, ...(scope && { scope }), limit: limit + 1 });
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

/** The parts that the pages of approvals need. */
@Injectable()
export class ApprovalParts {
  constructor(
    /** If no rule requires approval, there may be no store. */
    readonly governance: GovernanceService,
    readonly store: ApprovalStore,
    readonly decisions: OperatorDecisions,
    readonly tokens: FormTokens,
  ) {}
}

const ID = /^[\w-]{1,64}$/;

/** `after`: the id after which a page of the list begins; without it, the first page. */
const listSchema = z.strictObject({ after: z.string().regex(ID).optional() });
const formSchema = z.strictObject({
  token: z.string().max(128),
  decision: z.enum(['approve', 'reject', 'revoke']),
  note: typedText(2_048).default(''),
});

/** The fields of the form that decides a request. */
type DecisionForm = z.output<typeof formSchema>;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseDecision = (form: unknown): DecisionForm =>
  parseGiven(formSchema, { ...Object(form) }, 'Use the form on the page.');

/** @throws AdminFailure NOT_FOUND for texts that can't be ids */
function parseApprovalId(id: string): string {
  if (ID.test(id)) return id;
  throw noApproval();
}

function noApproval(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'No approval has this id.',
    'Open it from the list at /admin/approvals.',
  );
}

const ROWS = 25;

const VERDICTS = { approve: 'approved', reject: 'rejected', revoke: 'revoked' } as const;

const placeOf = placesIn('approvals', 'the approval');

/** Pages on which operators decide about calls that wait for approval. Only POST changes anything. */
@AdminController('admin/approvals')
@Admits(['approve', 'operator'])
export class ApprovalsController {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: ApprovalParts,
    private readonly scopes: OperatorScopesService,
  ) {}

  @HtmlPage()
  async list(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const { after } = parseGiven(listSchema, given, 'Start at /admin/approvals.');
    const { frame } = this.server;
    if (!this.parts.governance.needsApprovals) return noApprovalsPage(frame);
    const scope = await this.scopes.of(operator);
    const query = { state: 'pending', limit: ROWS, ...(after !== undefined && { after }) } as const;
    return approvalsPage({
      pending: await findApprovals(this.parts.store, query, scope),
      after,
      recent: await this.recent(scope),
      frame,
    });
  }

  @HtmlPage(':id')
  @Header('Referrer-Policy', FORM_REFERRER)
  async one(@Param('id') id: string, @Req() request: Request): Promise<string> {
    const operator = principalOf(request);
    const approval = await this.find(id, operator);
    const { name } = operator;
    const { now, frame } = this.server;
    return approvalPage({
      approval,
      operator: name,
      mayDecide: mayDecide(operator),
      seesRuns: operator.permissions.includes('operator'),
      objection: this.parts.decisions.objection(approval, { by: name, via: 'admin' }),
      token: tokenFor(this.parts.tokens, request, placeOf(approval.id)),
      now: now(),
      frame,
    });
  }

  @Post(':id')
  @ChangesSomething()
  async decide(@Param('id') given: string, @Req() request: Request, @Res() response: Response) {
    const { token, decision, note } = parseDecision(await readOurForm(request, response));
    const operator = principalOf(request);
    const { id } = await this.find(given, operator);
    const { decisions, tokens } = this.parts;
    checkForm({ tokens, token }, request, placeOf(id));
    await decisions.decide(id, {
      by: operator.name,
      via: 'admin',
      verdict: VERDICTS[decision],
      note,
    });
    response.redirect(303, `${placeOf(id).path}#state`);
  }

  /** @throws AdminFailure NOT_FOUND also for requests outside the scope of the operator */
  private async find(id: string, operator: Principal): Promise<Approval> {
    const scope = await this.scopes.of(operator);
    const approval = this.parts.governance.needsApprovals
      ? await this.parts.store.get(parseApprovalId(id))
      : null;
    if (!approval || !isSeen(scope, approval)) throw noApproval();
    return approval;
  }

  private async recent(scope: Scope | null): Promise<Approval[]> {
    const lists = await Promise.all(
      PAST_STATES.map((state) => findApprovals(this.parts.store, { state, limit: ROWS }, scope)),
    );
    return lists
      .flatMap(({ rows }) => rows)
      .sort((a, b) => b.requestedAt - a.requestedAt || (a.id < b.id ? 1 : -1))
      .slice(0, ROWS);
  }
}
