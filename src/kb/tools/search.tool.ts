import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { defineTool, McpTool, type ResourceLink } from '../../mcp/define-tool.js';
import { searchSummary, searchText } from '../render-kb.js';
import { type SearchInput, searchInput, type SearchOutput, searchOutput } from '../search.schemas.js';
import { SearchService } from '../search/search.service.js';

function linksOf({ results }: SearchOutput, keptAt: string): ResourceLink[] {
  return results.map(({ scratch_uri, section_id, title, size_bytes }) => ({
    uri: scratch_uri,
    name: section_id,
    title,
    bytes: size_bytes,
    lastModified: keptAt,
  }));
}

export const searchTool = defineTool({
  name: 'kb.search',
  title: 'Search the documents',
  description:
    'Use when you want to see which sections exist on a topic, or to choose passages yourself. Do not use when a ' +
    'question needs an answer: call kb.retrieve_evidence. To filter by fields that the documents define, call ' +
    'search_docs. Returns at most page_size previews with passage_ids, no full text. If you need more, call ' +
    'kb.read_excerpt with a passage_id, or pass next_cursor as cursor. Defaults: top_k 5, page_size 5. Max: 50 each.',
  input: searchInput,
  output: searchOutput,
  feature: 'kb',
  isCore: true,
  isRetrieval: true,
  permission: 'read',
  budget: { bytes: 24_576, tokens: 10_000 },
  rendering: { full: searchText, summary: searchSummary, links: linksOf },
});

@McpController()
export class SearchTool {
  constructor(private readonly service: SearchService) {}

  @McpTool(searchTool)
  search(@Payload() input: SearchInput, @Ctx() context: McpContext): Promise<Reply<SearchOutput>> {
    return this.service.search(callOf(context), input);
  }
}
