import { Header, Inject, Injectable, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AdminController, Admits, ChangesSomething, HtmlPage } from '../../../admin/admin.guard.js';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { parseGiven } from '../../../admin/admin-query.js';
import { FormTokens } from '../../../admin/forms/form-tokens.js';
import {
  checkForm,
  FORM_REFERRER,
  mayDecide,
  placesIn,
  readOurForm,
  tokenFor,
} from '../../../admin/forms/operator-forms.js';
import { card } from '../../../admin/views/card.js';
import { html, seen, seenName, timeAt } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { type PageColumn, table } from '../../../admin/views/table.js';
import { principalOf } from '../../../mcp/principals.js';
import { CallLedger } from '../../ledger/call-ledger.js';
import { acceptShown } from '../../providers/acceptance/accept-shown.js';
import { MAX_TOOL_NAME, ProviderPins } from '../../providers/provider-pins.js';
import { PROVIDERS } from '../../providers/provider-tools.controller.js';
import type { Providers } from '../../providers/providers.js';
import {
  connectionMark,
  failurePart,
  placeText,
  providerPage,
  type ProviderView,
  toolCounts,
} from './provider-page.js';

const toolSchema = z.string().min(1).max(MAX_TOOL_NAME);
/** `tool`: the only tool that the page shows; without it, all. */
const placeSchema = z.strictObject({ tool: toolSchema.optional() });
/** The form that accepts what was shown. */
const formSchema = z.strictObject({
  token: z.string().max(128),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  tool: toolSchema.optional(),
});

function noProvider(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'The governance file of this server names no such provider.',
    'Open it from the list at /admin/providers.',
  );
}

const COLUMNS: readonly PageColumn<ProviderView>[] = [
  {
    name: 'Provider',
    isHead: true,
    cell: ({ name }) => html`<a href="/admin/providers/${name}">${seenName(name)}</a>`,
  },
  { name: 'Connection', cell: connectionMark },
  { name: 'Since', cell: ({ since }) => timeAt(since) },
  { name: 'Tools', cell: ({ pins }) => toolCounts(pins) },
  { name: 'Program or URL', cell: ({ transport }) => seen(placeText(transport)) },
  { name: 'Last failure', isWide: true, cell: failurePart },
];

/** The external servers of the governance file. */
export function providersPage(providers: readonly ProviderView[], frame: Frame): string {
  const content =
    providers.length === 0
      ? html`<p class="empty">
          The governance file of this server names no providers. To add one, see
          <code>docs/providers.md</code>.
        </p>`
      : card(
          'providers',
          'External servers',
          table({ caption: 'Providers by name', isCaptionHidden: true, rows: providers, columns: COLUMNS }),
        );
  return page({
    title: 'Providers',
    place: '/admin/providers',
    frame,
    lead: `Other MCP servers whose tools this server offers. A tool can be called after an operator has accepted
      its definition, until the definition changes. Open a provider to see its tools and accept definitions.`,
    content,
  });
}

/** The parts that the pages of providers need. */
@Injectable()
export class ProviderParts {
  constructor(
    /** Null if the governance file has no providers; then the pins are not opened. */
    @Inject(PROVIDERS) readonly providers: Providers | null,
    readonly pins: ProviderPins,
    readonly tokens: FormTokens,
    /** Null if nothing is recorded. */
    @Inject(CallLedger) readonly ledger: CallLedger | null,
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
    const { tool } = parseGiven(placeSchema, query, 'Start at /admin/providers.');
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
    const form = await readOurForm(request, response);
    const { token, hash, tool } = parseGiven(formSchema, { ...Object(form) }, 'Use the form on the page.');
    const { name: provider } = await this.find(given);
    const { pins, ledger, tokens } = this.parts;
    checkForm({ tokens, token }, request, placeOf(provider));
    const by = principalOf(request).name;
    await acceptShown(
      { provider, tool, hash, by },
      {
        pins,
        record: async (event) => ledger?.recordOrFail(event),
        now: this.server.now,
      },
    );
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
