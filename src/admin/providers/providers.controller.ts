import { Controller, Get, Header, Param, Post, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ConfigurationChangedEvent } from '../../core/ledger/ledger-event.js';
import type { ProviderPins } from '../../core/ports/provider-pins.port.js';
import { acceptShown } from '../../governance/providers/acceptance/accept-shown.js';
import type { Providers } from '../../governance/providers/providers.js';
import { type Principal, principalOf } from '../../mcp/principals.js';
import { AdminFilter } from '../admin.filter.js';
import { AdminGuard, Admits, ChangesSomething } from '../admin.guard.js';
import { AdminFailure } from '../admin-failure.js';
import { ServerFacts } from '../admin-parts.js';
import type { FormFacts, FormTokens } from '../forms/form-tokens.js';
import { isFromOurPage, readForm } from '../forms/read-form.js';
import { providerPage } from './provider-page.js';
import type { ProviderView } from './provider-view.js';
import { providersPage } from './providers-page.js';
import { noProvider, parseAcceptance, parseShownTool } from './providers-query.js';

const HTML = 'text/html; charset=utf-8';

/** The parts that the pages of providers need. */
export class ProviderParts {
  constructor(
    /** Null if the governance file has no providers; then the pins are not opened. */
    readonly providers: Providers | null,
    readonly pins: ProviderPins,
    readonly tokens: FormTokens,
    /** Resolves when the event is on record, or if nothing is recorded. */
    readonly record: (event: ConfigurationChangedEvent) => Promise<void>,
  ) {}
}

const pathOf = (name: string): string => `/admin/providers/${name}`;
const mayAccept = ({ permissions }: Principal): boolean => permissions.includes('approve');

/** Pages about external servers, on which operators accept definitions of tools. Only POST changes anything. */
@Controller('admin/providers')
@Admits(['approve', 'operator'])
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class ProvidersController {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: ProviderParts,
  ) {}

  @Get()
  @Header('Content-Type', HTML)
  async list(): Promise<string> {
    return providersPage(await this.views(), this.server.version);
  }

  @Get(':name')
  @Header('Content-Type', HTML)
  // Unlike `no-referrer`, this lets browsers send `Origin` with forms.
  @Header('Referrer-Policy', 'same-origin')
  async one(@Param('name') name: string, @Query() query: unknown, @Req() request: Request): Promise<string> {
    const tool = parseShownTool(query);
    const provider = await this.find(name);
    const operator = principalOf(request);
    return providerPage({
      provider,
      tool,
      operator: operator.name,
      mayAccept: mayAccept(operator),
      token: this.parts.tokens.make(formOf(request, provider.name)),
      version: this.server.version,
    });
  }

  @Post(':name')
  @ChangesSomething()
  async accept(@Param('name') given: string, @Req() request: Request, @Res() response: Response) {
    if (!isFromOurPage(request)) throw foreignForm();
    const { token, hash, tool } = parseAcceptance(await readForm(request, response));
    const { name: provider } = await this.find(given);
    if (!this.parts.tokens.isValid(token, formOf(request, provider))) throw foreignForm();
    const operator = principalOf(request);
    if (!mayAccept(operator)) throw notPermitted();
    const { pins, record } = this.parts;
    await acceptShown({ provider, tool, hash, by: operator.name }, { pins, record, now: this.server.now });
    response.redirect(303, `${pathOf(provider)}#state`);
  }

  private async views(): Promise<ProviderView[]> {
    const { providers, pins } = this.parts;
    if (!providers) return [];
    const all = await pins.pins();
    return providers
      .states()
      .map((state) => ({ ...state, pins: all.filter(({ provider }) => provider === state.name) }));
  }

  private async find(name: string): Promise<ProviderView> {
    const found = (await this.views()).find((view) => view.name === name);
    if (!found) throw noProvider();
    return found;
  }
}

const formOf = (request: Request, name: string): FormFacts => ({
  operator: principalOf(request).name,
  credential: request.headers.authorization ?? '',
  path: pathOf(name),
});

function foreignForm(): AdminFailure {
  return new AdminFailure(
    'FORBIDDEN',
    'This form was not sent from its page, or the page was opened more than an hour ago. Nothing was changed.',
    'Open the page of the provider again and accept there.',
  );
}

function notPermitted(): AdminFailure {
  return new AdminFailure(
    'FORBIDDEN',
    'You do not have the permission approve.',
    'Sign in as an operator who has it. See docs/providers.md.',
  );
}
