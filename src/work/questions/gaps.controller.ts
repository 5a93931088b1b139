import { Get, Header, Injectable, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminController, ChangesSomething, HtmlPage, SignedIn } from '../../admin/admin.guard.js';
import { ServerFacts } from '../../admin/admin-parts.js';
import { FormTokens } from '../../admin/forms/form-tokens.js';
import {
  checkForm,
  FORM_REFERRER,
  mayDecide,
  placesIn,
  readOurForm,
  tokenFor,
} from '../../admin/forms/operator-forms.js';
import { OperatorScopesService } from '../../admin/operator-scopes.service.js';
import type { Scope } from '../../core/scope.js';
import { type Principal, principalOf } from '../../mcp/principals.js';
import { ScopeService } from '../../scope/scope.service.js';
import { exportGaps } from './export-gaps.js';
import { type GapFacts, gapNotFound, type GapView } from './gap.js';
import { GapStatementService } from './gap-statement.service.js';
import { GapsService } from './gaps.service.js';
import {
  gapPage,
  gapsPage,
  type GapsQuery,
  noQuestionsPage,
  parseGapForm,
  parseGapFormat,
  parseGapId,
  parseGapsQuery,
} from './gaps-page.js';
import { UsageService } from './usage.service.js';
import { usagePage } from './usage-page.js';

const ROWS = 25;
const TYPES = { json: 'application/json', csv: 'text/csv', markdown: 'text/markdown' } as const;
const ENDINGS = { json: 'json', csv: 'csv', markdown: 'md' } as const;
const placeOf = placesIn('gaps', 'the gap');

/** The parts that the pages of gaps need. */
@Injectable()
export class GapParts {
  constructor(
    readonly gaps: GapsService,
    readonly claims: GapStatementService,
    readonly tokens: FormTokens,
    readonly scopes: ScopeService,
  ) {}
}

/** Pages about questions that were not answered. Only POST changes anything. */
@AdminController('admin/gaps')
export class GapsController {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: GapParts,
    private readonly operators: OperatorScopesService,
    private readonly usage: UsageService,
  ) {}

  @HtmlPage()
  async list(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const query = parseGapsQuery(given);
    const { frame } = this.server;
    if (!this.isOn) return noQuestionsPage(frame);
    const found = await this.find(query, operator);
    const { after = 0 } = query;
    const next = after + ROWS < found.length ? after + ROWS : null;
    return gapsPage({ rows: found.slice(after, after + ROWS), next }, query, frame);
  }

  @HtmlPage('usage')
  async used(@SignedIn() operator: Principal): Promise<string> {
    const { frame } = this.server;
    if (!this.isOn) return noQuestionsPage(frame);
    const now = this.server.now();
    const [space, scope] = await this.readScopes(operator);
    return usagePage(await this.usage.read(space, { scope, since: 0, now, isTried: false }), frame);
  }

  @Get('export/:format')
  async export(
    @Param('format') given: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const format = parseGapFormat(given);
    const query = parseGapsQuery(request.query);
    const found = this.isOn ? await this.find(query, principalOf(request)) : [];
    response.setHeader('Content-Type', `${TYPES[format]}; charset=utf-8`);
    response.setHeader('Content-Disposition', `attachment; filename="gaps.${ENDINGS[format]}"`);
    response.send(exportGaps(found, format));
  }

  @HtmlPage(':id')
  @Header('Referrer-Policy', FORM_REFERRER)
  async one(@Param('id') id: string, @Req() request: Request): Promise<string> {
    const operator = principalOf(request);
    const view = await this.view(id, operator);
    const token = tokenFor(this.parts.tokens, request, placeOf(view.gap.id));
    const form = { token, mayDecide: mayDecide(operator), operator: operator.name };
    return gapPage(view, form, this.server.frame);
  }

  @Post(':id')
  @ChangesSomething()
  async change(@Param('id') given: string, @Req() request: Request, @Res() response: Response) {
    const { token, action } = parseGapForm(await readOurForm(request, response));
    const operator = principalOf(request);
    const view = await this.view(given, operator);
    const place = placeOf(view.gap.id);
    const { tokens, gaps, claims } = this.parts;
    checkForm({ tokens, token }, request, place);
    if (action === 'claim') await claims.make(view, operator.name, this.server.now());
    else await gaps.mark(view, action, this.server.now());
    response.redirect(303, place.path);
  }

  private get isOn(): boolean {
    return this.server.config.questions.mode === 'on';
  }

  private async find({ state, since }: GapsQuery, operator: Principal): Promise<GapFacts[]> {
    const query = { ...(state && { states: [state] }), ...(since && { since }) };
    return this.parts.gaps.facts(...(await this.readScopes(operator)), query);
  }

  /** @throws AdminFailure NOT_FOUND also for gaps outside the scope of the operator */
  private async view(id: string, operator: Principal): Promise<GapView> {
    const wanted = parseGapId(id);
    if (!this.isOn) throw gapNotFound();
    return this.parts.gaps.find(...(await this.readScopes(operator)), wanted);
  }

  /** The scope of the server, and that of an operator; null for all. */
  private async readScopes(operator: Principal): Promise<readonly [Scope, Scope | null]> {
    const server = await this.parts.scopes.forOperators(this.server.now());
    return [server, await this.operators.of(operator)];
  }
}
