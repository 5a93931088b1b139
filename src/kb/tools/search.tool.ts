import { defineTool, type ResourceLink } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { searchSummary, searchText } from '../render-kb.js';
import { searchInput, type SearchOutput, searchOutput } from '../search.schemas.js';
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
  mounts: ['documents'],
  budget: { bytes: 24_576, tokens: 10_000 },
  rendering: { full: searchText, summary: searchSummary, links: linksOf },
});

export const SearchTool = toolController(SearchService, searchTool, (service, call, input) =>
  service.search(call, input),
);

/** The same under the name that ADR-008 gives it. A denial of either name denies it. */
const indexSearchTool = defineTool({
  ...searchTool,
  name: 'index.search',
  title: 'Search the index',
  feature: 'index',
  isCore: false,
  standsFor: [searchTool.name],
});

export const IndexSearchTool = toolController(SearchService, indexSearchTool, (service, call, input) =>
  service.search(call, input),
);
