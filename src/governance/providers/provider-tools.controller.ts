import { Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, Tool } from '@rekog/mcp-nest';
import type { Reply } from '../../core/reply.js';
import { calledTool, callOf, callReports } from '../../mcp/calls.js';
import { ANY_INPUT, PROVIDER_HANDLER } from '../../mcp/define-tool.js';
import { hostRequestsOf } from '../../mcp/host-requests.js';
import { PassagesService } from '../../scratch/passages.service.js';
import { CallLedger } from '../ledger/call-ledger.js';
import type { InputRequestedEvent } from '../ledger/ledger-event.js';
import type { CallArguments } from './link/provider-connection.js';
import { isLong, type ProviderOutput, providerReply } from './provider-reply.js';
import type { Providers } from './providers.js';

/** The providers of the server; null if the governance file has none. */
export const PROVIDERS = 'PROVIDERS';

/** Answers all tools of providers. The strategy sends their calls here. */
@McpController()
export class ProviderToolsController {
  constructor(
    @Inject(PROVIDERS) private readonly providers: Providers | null,
    private readonly passages: PassagesService,
    @Inject(CallLedger) private readonly ledger: CallLedger | null,
  ) {}

  @Tool({
    name: PROVIDER_HANDLER,
    description: 'Passes a call on to a provider.',
    parameters: ANY_INPUT,
  })
  async answer(@Payload() args: CallArguments, @Ctx() context: McpContext): Promise<Reply<ProviderOutput>> {
    const definition = calledTool(context);
    if (!definition || !this.providers) throw new Error('a tool of a provider was called without providers');
    const call = callOf(context);
    const reports = callReports(context);
    const answer = await this.providers.call(call, {
      definition,
      args,
      host: hostRequestsOf(context),
      onProgress: reports.wantsProgress ? (progress) => reports.progress(progress) : undefined,
      record: (event: InputRequestedEvent): void => void this.ledger?.record(event),
    });
    const { tool, text } = answer;
    const provided = { provider: tool.provider, tool: tool.name, text };
    const id = isLong(answer) ? await this.passages.keepProvided(call, provided) : null;
    return providerReply(call, answer, id);
  }
}
