import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { legacyFiltersSchema } from '../legacy-filters.js';
import { jsonRendering } from '../legacy-rendering.js';
import { LegacySearchService } from '../legacy-search.service.js';
import type { LegacySearchInput, LegacySearchOutput } from '../legacy-search.service.js';
import { anyInt, cursorSchema, cursorShape, envelopeShape, sessionIdSchema } from '../legacy.schemas.js';
import { searchRowSchema } from '../search-row.js';

export const searchSectionsTool = defineLegacyTool({
  name: 'search_sections',
  title: 'Search sections (older name)',
  description:
    'Legacy name of kb.search; prefer kb.retrieve_evidence for questions, kb.search for lists. ' +
    'Returns ranked sections without text; read them with get_section_text. ' +
    'page_size (25, at most 100) caps a page; top_k only lengthens the list that next_cursor walks.',
  input: z.object({
    query: z.string().max(4_000),
    top_k: anyInt.default(20),
    filters: legacyFiltersSchema,
    cursor: cursorSchema,
    page_size: anyInt.default(25),
    session_id: sessionIdSchema,
    include_debug: z.boolean().default(true).describe('false: the first seven keys of each row.'),
  }),
  output: z.strictObject({ results: z.array(searchRowSchema), ...cursorShape, ...envelopeShape }),
  isRetrieval: true,
  rendering: jsonRendering<LegacySearchOutput>(({ results }) => results.length, 'sections'),
});

/** What the service is asked for what an agent sends. */
export function toLegacySearchInput(input: ToolInput<typeof searchSectionsTool>): LegacySearchInput {
  return {
    query: input.query,
    topK: input.top_k,
    filters: input.filters,
    cursor: input.cursor,
    pageSize: input.page_size,
    sessionId: input.session_id,
    includeDebug: input.include_debug,
  };
}

@McpController()
export class SearchSectionsTool {
  constructor(private readonly service: LegacySearchService) {}

  @McpTool(searchSectionsTool)
  search(
    @Payload() input: ToolInput<typeof searchSectionsTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<LegacySearchOutput>> {
    return this.service.search(callOf(context), toLegacySearchInput(input));
  }
}
