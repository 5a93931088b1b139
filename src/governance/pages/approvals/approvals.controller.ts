import { Header, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AdminController, Admits, ChangesSomething, HtmlPage, SignedIn } from '../../../admin/admin.guard.js';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { parseGiven, typedText } from '../../../admin/admin-query.js';
import type { FormTokens } from '../../../admin/forms/form-tokens.js';
import {
  checkForm,
  FORM_REFERRER,
  mayDecide,
  placesIn,
  readOurForm,
  tokenFor,
} from '../../../admin/forms/operator-forms.js';
import { OperatorScopesService } from '../../../admin/operator-scopes.service.js';
import { type Scope, scopeCovers } from '../../../core/scope.js';
import { type Principal, principalOf } from '../../../mcp/principals.js';
import type { Approval, ApprovalQuery, ApprovalStore } from '../../approvals/approval-store.port.js';
import type { OperatorDecisions } from '../../approvals/operator-decisions.js';
import { approvalPage } from './approval-page.js';
import { approvalsPage, noApprovalsPage, PAST_STATES } from './approvals-page.js';

/** One page of a list. */
export interface ApprovalRows {
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
export class ApprovalParts {
  constructor(
    /** False if no rule requires approval; then there may be no store. */
    readonly areUsed: boolean,
    readonly store: ApprovalStore,
    readonly decisions: OperatorDecisions,
    readonly tokens: FormTokens,
  ) {}
}

const ID = /^[\w-]{1,64}$/;

const listSchema = z.strictObject({ after: z.string().regex(ID).optional() });
const formSchema = z.strictObject({
  token: z.string().max(128),
  decision: z.enum(['approve', 'reject', 'revoke']),
  note: typedText(2_048).default(''),
});

/** The fields of the form that decides a request. */
type DecisionForm = z.output<typeof formSchema>;

/** The id after which a page of the list begins; undefined for the first page. @throws AdminFailure INVALID_ARGUMENT */
const parseAfter = (query: unknown): string | undefined =>
  parseGiven(listSchema, query, 'Start at /admin/approvals.').after;

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
    const after = parseAfter(given);
    const { frame } = this.server;
    if (!this.parts.areUsed) return noApprovalsPage(frame);
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
    const approval = this.parts.areUsed ? await this.parts.store.get(parseApprovalId(id)) : null;
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
