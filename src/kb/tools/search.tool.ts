import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { SEARCH_SOURCES } from '../../core/ranking.js';
import { LIMIT_REASONS, type Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { defineTool, McpTool, type ResourceLink } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { diagnosticShape } from '../diagnostic-pointer.js';
import {
  diagnosticDebugSchema,
  filtersSchema,
  keywordsSchema,
  modeSchema,
  questionSchema,
} from '../kb.schemas.js';
import { searchSummary, searchText } from '../render-kb.js';
import { SearchService } from '../search/search.service.js';

const options = z
  .strictObject({
    max_snippet_chars: z.int().min(60).max(600).default(280),
    max_per_doc: z.int().min(1).max(10).optional(),
    include_scores: z.boolean().default(false),
    include_debug: z.boolean().default(false),
    mode: modeSchema,
    rewrite: z.boolean().default(true),
  })
  .describe(
    'Defaults: 280 characters, 1 section per document (more if few documents match), mode auto, rewrite true.',
  );

const result = z.strictObject({
  passage_id: z.string(),
  section_id: z.string(),
  doc_tag: z.string(),
  title: z.string(),
  rank: z.int(),
  score: z.number(),
  source: z.enum(SEARCH_SOURCES),
  preview: z.string(),
  scratch_uri: z.string(),
  size_bytes: z.int(),
  anchor: z.string().nullable(),
  scores: z.record(z.string(), z.number()).optional(),
});

const input = z.strictObject({
  query: questionSchema,
  keywords: keywordsSchema,
  top_k: z.int().min(1).max(50).default(5).describe('Results over all pages.'),
  cursor: z.string().min(1).max(512).nullable().optional(),
  page_size: z.int().min(1).max(50).default(5),
  scope: scopeSchema.optional(),
  filters: filtersSchema.optional(),
  options: options.prefault({}),
  diagnostic_debug: diagnosticDebugSchema,
});
export type SearchInput = z.output<typeof input>;

const output = z.strictObject({
  results: z.array(result),
  next_cursor: z.string().nullable(),
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
  skipped: z.int().optional(),
  session_id: z.string(),
  ...diagnosticShape,
  hint: z.string().optional(),
  degraded: z.array(z.string()).optional(),
  debug: z.record(z.string(), z.unknown()).optional(),
});
export type SearchOutput = z.output<typeof output>;

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
  input,
  output,
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
