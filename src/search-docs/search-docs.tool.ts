import { defineTool } from '../mcp/define-tool.js';
import { fencedCopy } from '../mcp/rendering/fenced-copy.js';
import { DOCUMENT_TEXT } from '../mcp/tool-class.js';
import { toolController } from '../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../text/untrusted-text.js';
import { listedSearch } from './listed-search.js';
import { refuseArguments } from './refuse-arguments.js';
import {
  MAX_CURSOR,
  MAX_HITS,
  MAX_QUERY,
  searchDocsInput,
  type SearchDocsOutput,
  searchDocsOutput,
} from './search-docs.schemas.js';
import { SearchDocsService } from './search-docs.service.js';

const asJson = (output: SearchDocsOutput, fence: TextFence = NO_FENCE): string =>
  JSON.stringify(fencedCopy(output, fence));

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
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  budget: { bytes: 49_152, tokens: 20_000 },
  rendering: { full: asJson, summary: asJson, isContract: true },
  listedFor: listedSearch,
  refuse: refuseArguments({
    query: `must be a non-empty string of at most ${MAX_QUERY} characters`,
    limit: `must be an integer between 1 and ${MAX_HITS}`,
    cursor: `must be a string of at most ${MAX_CURSOR} characters, as next_cursor has it`,
  }),
});

export const SearchDocsTool = toolController(SearchDocsService, searchDocsTool, (service, call, input) =>
  service.search(call, input),
);
