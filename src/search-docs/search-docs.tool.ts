import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { Reply } from '../core/reply.js';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool } from '../mcp/define-tool.js';
import { listedSearch } from './listed-search.js';
import { refuseArguments } from './refuse-arguments.js';
import {
  MAX_CURSOR,
  MAX_HITS,
  MAX_QUERY,
  type SearchDocsInput,
  searchDocsInput,
  type SearchDocsOutput,
  searchDocsOutput,
} from './search-docs.schemas.js';
import { SearchDocsService } from './search-docs.service.js';

const asJson = (output: SearchDocsOutput): string => JSON.stringify(output);

export const searchDocsTool = defineTool({
  name: 'search_docs',
  title: 'Search the documentation',
  description: listedSearch(null).description,
  input: searchDocsInput,
  output: searchDocsOutput,
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

@McpController()
export class SearchDocsTool {
  constructor(private readonly service: SearchDocsService) {}

  @McpTool(searchDocsTool)
  search(@Payload() input: SearchDocsInput, @Ctx() context: McpContext): Promise<Reply<SearchDocsOutput>> {
    return this.service.search(callOf(context), input);
  }
}
