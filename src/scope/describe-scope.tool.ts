import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool } from '../mcp/define-tool.js';
import type { ToolInput } from '../mcp/define-tool.js';
import { LIMIT_REASONS } from '../reply.js';
import type { Reply } from '../reply.js';
import { DescribeScopeService } from './describe-scope.service.js';
import type { ScopeDescription } from './describe-scope.service.js';
import { scopeSummary, scopeText } from './render-scope.js';
import { scopeSchema } from './scope.schema.js';

const facet = z.strictObject({ name: z.string(), documents: z.int(), sections: z.int() });

export const describeScopeTool = defineTool({
  name: 'scope.describe',
  title: 'What can be searched',
  description:
    'Use when you want to know what these documents are, or which doc_tags and repositories a scope or filter may name. ' +
    'Do not use when you have a question: ask kb.retrieve_evidence at once. ' +
    'Returns at most 50 doc tags and 50 repositories with counts, the index date and size, and the engines (16 KB). ' +
    'If you need more, call kb.search. ' +
    'Defaults: everything you may see. Max: 50 of each.',
  input: z.strictObject({ scope: scopeSchema.optional() }),
  output: z.strictObject({
    project_id: z.string(),
    environment: z.string(),
    doc_tags: z.array(facet),
    repositories: z.array(facet),
    documents: z.int(),
    sections: z.int(),
    indexed_at: z.string(),
    index_bytes: z.int(),
    engines: z.array(z.string()),
    partial: z.boolean(),
    limit_reason: z.enum(LIMIT_REASONS),
  }),
  feature: 'always',
  isCore: false,
  permission: 'read',
  budget: { bytes: 16_384, tokens: 6_000 },
  rendering: { full: scopeText, summary: scopeSummary },
});

@McpController()
export class DescribeScopeTool {
  constructor(private readonly service: DescribeScopeService) {}

  @McpTool(describeScopeTool)
  describe(
    @Payload() _input: ToolInput<typeof describeScopeTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<ScopeDescription>> {
    return this.service.describe(callOf(context));
  }
}
