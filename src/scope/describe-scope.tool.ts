import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { LIMIT_REASONS, type Reply } from '../core/reply.js';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool } from '../mcp/define-tool.js';
import { DescribeScopeService } from './describe-scope.service.js';
import { scopeSummary, scopeText } from './render-scope.js';
import { scopeSchema } from './scope.schema.js';

/** Documents of one page. */
const MAX_LISTED = 50;

const facet = z.strictObject({ name: z.string(), documents: z.int(), sections: z.int() });

const input = z.strictObject({
  documents: z
    .int()
    .min(1)
    .max(MAX_LISTED)
    .optional()
    .describe('List this many documents per page instead of tags.'),
  cursor: z.string().min(1).max(512).nullable().optional(),
  scope: scopeSchema.optional(),
});
type DescribeScopeInput = z.output<typeof input>;

const output = z.strictObject({
  project_id: z.string(),
  environment: z.string(),
  doc_tags: z.array(facet),
  repositories: z.array(facet),
  documents: z.int(),
  sections: z.int(),
  indexed_at: z.string(),
  index_bytes: z.int(),
  /** The engine of the sections, then that of the graph if it is another one. */
  engines: z.array(z.string()),
  /** True if there are more tags, repositories or documents. */
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
  /** Sorted by path; only if documents were requested. Paths are encoded as in section ids. */
  listed: z.array(z.strictObject({ path: z.string(), title: z.string(), doc_tag: z.string() })).optional(),
  next_cursor: z.string().nullable().optional(),
  skipped: z.int().optional(),
});
export type ScopeDescription = z.output<typeof output>;

export const describeScopeTool = defineTool({
  name: 'scope.describe',
  title: 'What can be searched',
  description:
    'Use when you want to know what this server covers: collections (doc_tags), repositories, their sizes and the ' +
    'date of the index; or, with documents, a list of all documents. Do not use when you have a question: call ' +
    'kb.retrieve_evidence. Returns at most 50 doc_tags and 50 repositories with counts, or a page of document paths ' +
    'and titles. If you need more, call get_doc with a path to read that document. Defaults: everything you may see. ' +
    'Max: 50 each.',
  input,
  output,
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
    @Payload() { documents, cursor = null }: DescribeScopeInput,
    @Ctx() context: McpContext,
  ): Promise<Reply<ScopeDescription>> {
    const call = callOf(context);
    if (documents === undefined && cursor === null) return this.service.describe(call);
    return this.service.list(call, { count: documents ?? MAX_LISTED, cursor });
  }
}
