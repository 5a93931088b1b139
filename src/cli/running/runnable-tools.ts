import { z } from 'zod';
import type { Call } from '../../core/call.js';
import type { RetrievalToolName } from '../../diagnostics/record/retrieval-tools.js';
import { searchDocsTool } from '../../search-docs/search-docs.tool.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { toSectionFilter } from '../../kb/kb.schemas.js';
import { retrieveEvidenceTool } from '../../kb/tools/retrieve-evidence.tool.js';
import { searchTool } from '../../kb/tools/search.tool.js';
import { NO_FILTER } from '../../core/ports/section-index.port.js';
import type { SectionFilter } from '../../core/ports/section-index.port.js';
import { legacySearchSections, readLegacyFilters } from '../../legacy/tools/search-sections.js';
import type { AnyTool, ToolDefinition } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import type { LocalServices } from './local-services.js';

/** Arguments of a tool, as they are sent. */
export type Request = Readonly<Record<string, unknown>>;

/** A request as a tool's schema reads it. */
interface ReadRequest {
  readonly input: Request;
  readonly filter: SectionFilter;
  readonly ask: (services: LocalServices, call: Call) => Promise<Reply<unknown>>;
}

/** A tool that finds sections, as it is asked without a server. */
export interface Runnable {
  readonly definition: AnyTool;
  readonly read: (request: Request) => ReadRequest;
}

interface Way<T> {
  readonly filter: (input: T) => SectionFilter;
  readonly ask: (services: LocalServices, call: Call, input: T) => Promise<Reply<unknown>>;
}

/** @throws InvalidArgumentError for arguments that the tool would refuse */
function parsed<I extends z.ZodType>({ name, input }: ToolDefinition<I>, request: Request): z.output<I> {
  const read = input.safeParse(request);
  if (read.success) return read.data;
  throw new InvalidArgumentError(`invalid arguments for ${name}: ${z.prettifyError(read.error)}`, {
    reason: 'invalid_input',
    hint: 'Correct the arguments. A diagnostic of another Pith version may hold arguments of that version.',
  });
}

const inputSchema = z.record(z.string(), z.unknown());

function runnable<I extends z.ZodType>(
  definition: ToolDefinition<I>,
  { filter, ask }: Way<z.output<I>>,
): Runnable {
  return {
    definition,
    read: (request) => {
      const input = parsed(definition, request);
      return {
        input: inputSchema.parse(input),
        filter: filter(input),
        ask: (services, call) => ask(services, call, input),
      };
    },
  };
}

/** Fields of the taxonomy; the search has refused all others. */
function metadataOf(fields: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );
}

/** The tools whose diagnostics can be looked into. */
export const RUNNABLE: Readonly<Record<RetrievalToolName, Runnable>> = {
  'kb.search': runnable(searchTool, {
    filter: ({ filters }) => toSectionFilter(filters),
    ask: ({ search }, call, input) => search.search(call, input),
  }),
  'kb.retrieve_evidence': runnable(retrieveEvidenceTool, {
    filter: ({ filters }) => toSectionFilter(filters),
    ask: ({ evidence }, call, input) => evidence.retrieve(call, input),
  }),
  search_docs: runnable(searchDocsTool, {
    filter: ({ query: _query, limit: _limit, cursor: _cursor, ...fields }) => ({
      ...NO_FILTER,
      metadata: metadataOf(fields),
    }),
    ask: ({ searchDocs }, call, input) => searchDocs.search(call, input),
  }),
  search_sections: runnable(legacySearchSections.definition, {
    filter: ({ filters }) => readLegacyFilters(filters).filter,
    ask: ({ legacy }, call, input) => legacySearchSections.answer(legacy, call, input),
  }),
};
