import { Controller, Get, Header, Param, Post, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Approval } from '../../core/ports/approval-store.port.js';
import type { Scope } from '../../core/scope.js';
import { type Principal, principalOf } from '../../mcp/principals.js';
import { AdminFilter } from '../admin.filter.js';
import { AdminGuard, Admits, ChangesSomething, SignedIn } from '../admin.guard.js';
import { AdminFailure } from '../admin-failure.js';
import { ServerFacts } from '../admin-parts.js';
import type { FormFacts } from '../forms/form-tokens.js';
import { isFromOurPage, readForm } from '../forms/read-form.js';
import { OperatorScopesService } from '../operator-scopes.service.js';
import { approvalPage } from './approval-page.js';
import { ApprovalParts } from './approval-parts.js';
import { approvalsPage, noApprovalsPage, PAST_STATES } from './approvals-page.js';
import { noApproval, parseAfter, parseApprovalId, parseDecision } from './approvals-query.js';
import { findApprovals, isSeen } from './find-approvals.js';

const ROWS = 25;
const HTML = 'text/html; charset=utf-8';
/** Unlike `no-referrer`, this lets browsers send `Origin` with forms. */
const REFERRER = 'same-origin';

const VERDICTS = { approve: 'approved', reject: 'rejected', revoke: 'revoked' } as const;

const pathOf = (id: string): string => `/admin/approvals/${id}`;

/** Pages on which operators decide about calls that wait for approval. Only POST changes anything. */
@Controller('admin/approvals')
@Admits(['approve', 'operator'])
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class ApprovalsController {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: ApprovalParts,
    private readonly scopes: OperatorScopesService,
  ) {}

  @Get()
  @Header('Content-Type', HTML)
  async list(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const after = parseAfter(given);
    const { version } = this.server;
    if (!this.parts.areUsed) return noApprovalsPage(version);
    const scope = await this.scopes.of(operator);
    const query = { state: 'pending', limit: ROWS, ...(after !== undefined && { after }) } as const;
    return approvalsPage({
      pending: await findApprovals(this.parts.store, query, scope),
      isFirst: after === undefined,
      recent: await this.recent(scope),
      version,
    });
  }

  @Get(':id')
  @Header('Content-Type', HTML)
  @Header('Referrer-Policy', REFERRER)
  async one(@Param('id') id: string, @Req() request: Request): Promise<string> {
    const operator = principalOf(request);
    const approval = await this.find(id, operator);
    const { name } = operator;
    const { now, version } = this.server;
    return approvalPage({
      approval,
      operator: name,
      mayDecide: mayDecide(operator),
      objection: this.parts.decisions.objection(approval, { by: name, via: 'admin' }),
      token: this.parts.tokens.make(formOf(request, approval.id)),
      now: now(),
      version,
    });
  }

  @Post(':id')
  @ChangesSomething()
  async decide(@Param('id') given: string, @Req() request: Request, @Res() response: Response) {
    if (!isFromOurPage(request)) throw foreignForm();
    const { token, decision, note } = parseDecision(await readForm(request, response));
    const operator = principalOf(request);
    const { id } = await this.find(given, operator);
    if (!this.parts.tokens.isValid(token, formOf(request, id))) throw foreignForm();
    if (!mayDecide(operator)) throw notPermitted();
    await this.parts.decisions.decide(id, {
      by: operator.name,
      via: 'admin',
      verdict: VERDICTS[decision],
      note,
    });
    response.redirect(303, `${pathOf(id)}#state`);
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

/** True for an operator who may decide. Others see the pages only. */
const mayDecide = ({ permissions }: Principal): boolean => permissions.includes('approve');

const formOf = (request: Request, id: string): FormFacts => ({
  operator: principalOf(request).name,
  credential: request.headers.authorization ?? '',
  path: pathOf(id),
});

function foreignForm(): AdminFailure {
  return new AdminFailure(
    'FORBIDDEN',
    'This form was not sent from its page, or the page was opened more than an hour ago. Nothing was changed.',
    'Open the page of the approval again and decide there.',
  );
}

function notPermitted(): AdminFailure {
  return new AdminFailure(
    'FORBIDDEN',
    'You do not have the permission approve.',
    'Sign in as an operator who has it. See docs/approvals.md.',
  );
}
