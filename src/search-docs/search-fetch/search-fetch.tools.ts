import { defineTool } from '../../mcp/define-tool.js';
import { fencedCopy } from '../../mcp/rendering/fenced-copy.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import { toolController } from '../../mcp/tool-controller.js';
import { NO_FENCE } from '../../text/untrusted-text.js';
import {
  FETCH_BYTES,
  fetchDocumentInput,
  type FetchDocumentOutput,
  fetchDocumentOutput,
  searchDocumentsInput,
  type SearchDocumentsOutput,
  searchDocumentsOutput,
} from './search-fetch.schemas.js';
import { SearchFetchService } from './search-fetch.service.js';

const asJson = (output: SearchDocumentsOutput | FetchDocumentOutput, fence = NO_FENCE): string =>
  JSON.stringify(fencedCopy(output, fence));

// The names, inputs and outputs are fixed by the hosts, which parse the text as JSON.
const COMMON = {
  feature: 'search_fetch',
  isCore: false,
  permission: 'read',
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
} as const;

const searchDocumentsTool = defineTool({
  ...COMMON,
  name: 'search',
  title: 'Search for documents',
  description:
    'Use when you research a subject and want to find the documents about it. Do not use when you want quotes that answer a ' +
    'question: call kb.retrieve_evidence. Returns at most 10 results, best first, each with id, title and url; one for ' +
    'each document. If you need more, call `fetch` with an id, or search in other words. Defaults: none. Max: 4,000 ' +
    'characters.',
  input: searchDocumentsInput,
  output: searchDocumentsOutput,
  isRetrieval: true,
  budget: { bytes: 24_576, tokens: 10_000 },
  rendering: {
    full: asJson,
    summary: asJson,
    isContract: true,
    refs: ({ results }) => results.map(({ id }) => ({ type: 'section', id })),
  },
});

export const SearchDocumentsTool = toolController(
  SearchFetchService,
  searchDocumentsTool,
  (service, call, input) => service.search(call, input),
);

const fetchDocumentTool = defineTool({
  ...COMMON,
  name: 'fetch',
  title: 'Read a document',
  description:
    'Use when you want to read a document that `search` found. Do not use when a few quotes are enough: call ' +
    'kb.retrieve_evidence. Returns at most 64 KB: id, title, text, url and metadata. A document that is too long begins ' +
    'with the section of the id. If you need more, call it again with the id in metadata.continues_with. Defaults: none. ' +
    'Max: 1,024 characters.',
  input: fetchDocumentInput,
  output: fetchDocumentOutput,
  budget: { bytes: FETCH_BYTES, tokens: 60_000 },
  rendering: {
    full: asJson,
    summary: asJson,
    isContract: true,
    refs: ({ id }) => [{ type: 'section', id }],
  },
});

export const FetchDocumentTool = toolController(
  SearchFetchService,
  fetchDocumentTool,
  (service, call, input) => service.fetch(call, input),
);
