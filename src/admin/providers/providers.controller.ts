import { Header, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ConfigurationChangedEvent } from '../../core/ledger/ledger-event.js';
import type { ProviderPins } from '../../core/ports/provider-pins.port.js';
import { acceptShown } from '../../governance/providers/acceptance/accept-shown.js';
import type { Providers } from '../../governance/providers/providers.js';
import { principalOf } from '../../mcp/principals.js';
import { AdminController, Admits, ChangesSomething, HtmlPage } from '../admin.guard.js';
import { ServerFacts } from '../admin-parts.js';
import type { FormTokens } from '../forms/form-tokens.js';
import {
  checkForm,
  FORM_REFERRER,
  mayDecide,
  placesIn,
  readOurForm,
  tokenFor,
} from '../forms/operator-forms.js';
import { providerPage } from './provider-page.js';
import type { ProviderView } from './provider-view.js';
import { providersPage } from './providers-page.js';
import { noProvider, parseAcceptance, parseShownTool } from './providers-query.js';

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

const placeOf = placesIn('providers', 'the provider');

/** Pages about external servers, on which operators accept definitions of tools. Only POST changes anything. */
@AdminController('admin/providers')
@Admits(['approve', 'operator'])
export class ProvidersController {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: ProviderParts,
  ) {}

  @HtmlPage()
  async list(): Promise<string> {
    return providersPage(await this.views(), this.server.frame);
  }

  @HtmlPage(':name')
  @Header('Referrer-Policy', FORM_REFERRER)
  async one(@Param('name') name: string, @Query() query: unknown, @Req() request: Request): Promise<string> {
    const tool = parseShownTool(query);
    const provider = await this.find(name);
    const operator = principalOf(request);
    return providerPage({
      provider,
      tool,
      operator: operator.name,
      mayAccept: mayDecide(operator),
      token: tokenFor(this.parts.tokens, request, placeOf(provider.name)),
      frame: this.server.frame,
    });
  }

  @Post(':name')
  @ChangesSomething()
  async accept(@Param('name') given: string, @Req() request: Request, @Res() response: Response) {
    const { token, hash, tool } = parseAcceptance(await readOurForm(request, response));
    const { name: provider } = await this.find(given);
    const { pins, record, tokens } = this.parts;
    checkForm({ tokens, token }, request, placeOf(provider));
    const by = principalOf(request).name;
    await acceptShown({ provider, tool, hash, by }, { pins, record, now: this.server.now });
    response.redirect(303, `${placeOf(provider).path}#state`);
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
