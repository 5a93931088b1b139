import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Reply } from '../core/reply.js';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool } from '../mcp/define-tool.js';
import { DEFAULT_HITS, listedSearch, MAX_CURSOR, MAX_HITS, MAX_QUERY } from './listed-search.js';
import { refuseArguments } from './refuse-arguments.js';
import { SearchDocsService } from './search-docs.service.js';

const hit = z.strictObject({
  chunk_id: z.string(),
  score: z.number(),
  heading: z.string(),
  breadcrumb: z.string(),
  snippet: z.string(),
  filepath: z.string(),
  metadata: z.record(z.string(), z.string()),
});

// All other fields are taxonomy keys. The index decides which exist, so the service checks them.
const input = z.looseObject({
  query: z.string().min(1).max(MAX_QUERY).regex(/\S/u),
  limit: z.int().min(1).max(MAX_HITS).default(DEFAULT_HITS),
  cursor: z.string().min(1).max(MAX_CURSOR).optional(),
});
export type SearchDocsInput = z.output<typeof input>;

const output = z.strictObject({
  hits: z.array(hit),
  next_cursor: z.string().nullable(),
  hint: z
    .strictObject({
      message: z.string(),
      suggested_filters: z.record(z.string(), z.array(z.string())),
    })
    .nullable(),
});
export type SearchDocsOutput = z.output<typeof output>;

const asJson = (output: SearchDocsOutput): string => JSON.stringify(output);

export const searchDocsTool = defineTool({
  name: 'search_docs',
  title: 'Search the documentation',
  description: listedSearch(null).description,
  input,
  output,
  feature: 'docs',
  isCore: false,
  isRetrieval: true,
  permission: 'read',
  budget: { bytes: 49_152, tokens: 20_000 },
  rendering: { full: asJson, summary: asJson, isContract: true },
  listedFor: listedSearch,
  refuse: refuseArguments({
    query: `must be a non-empty string of at most ${MAX_QUERY} characters`,
    limit: `must be an integer between 1 and ${MAX_HITS}`,
    cursor: `must be a string of at most ${MAX_CURSOR} characters, as next_cursor has it`,
  }),
});

/** Sections that match a query, within the taxonomy of the corpus. */
@McpController()
export class SearchDocsTool {
  constructor(private readonly service: SearchDocsService) {}

  @McpTool(searchDocsTool)
  search(@Payload() input: SearchDocsInput, @Ctx() context: McpContext): Promise<Reply<SearchDocsOutput>> {
    return this.service.search(callOf(context), input);
  }
}
