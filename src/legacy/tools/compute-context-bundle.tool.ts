import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyBundleService } from '../graph/legacy-bundle.service.js';
import type { BundleOutput } from '../graph/legacy-bundle.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import { anyInt, envelopeShape, idsSchema, nodeShape, textRowSchema } from '../legacy.schemas.js';

export const computeContextBundleTool = defineLegacyTool({
  name: 'compute_context_bundle',
  title: 'Gather context (older name)',
  description:
    'Legacy name of kb.retrieve_evidence, in bulk; prefer kb.retrieve_evidence. ' +
    'Returns facts about the seeds and the first 16 KB of the text of each; strategy is echoed, and token_budget limits nothing, as it never did.',
  input: z.object({
    seeds: idsSchema,
    strategy: z.string().max(64).default('hybrid'),
    token_budget: anyInt.default(2_000),
  }),
  output: z.strictObject({
    bundle: z.strictObject({
      nodes: z.array(z.strictObject(nodeShape).partial()),
      snippets: z.array(textRowSchema),
      strategy: z.string(),
    }),
    usage: z.strictObject({ tokens: z.int(), bytes: z.int() }),
    ...envelopeShape,
  }),
  rendering: jsonRendering<BundleOutput>(({ bundle }) => bundle.snippets.length, 'texts'),
});

@McpController()
export class ComputeContextBundleTool {
  constructor(private readonly service: LegacyBundleService) {}

  @McpTool(computeContextBundleTool)
  gather(
    @Payload() input: ToolInput<typeof computeContextBundleTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<BundleOutput>> {
    return this.service.gather(callOf(context), { seeds: input.seeds, strategy: input.strategy });
  }
}
