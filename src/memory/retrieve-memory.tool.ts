import { defineTool } from '../mcp/define-tool.js';
import { invalidInput } from '../mcp/invalid-input.js';
import { toolController } from '../mcp/tool-controller.js';
import { memoryInputSchema, type MemoryOutput, memoryOutputSchema, type Snippet } from './memory.schemas.js';
import { MemoryService } from './memory.service.js';

const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Indents further lines: a memory may contain a line that looks like the next list item. */
const indented = (text: string): string => text.replace(LINE_BREAKS, '\n   ');

function item({ id, trust_tier, source_type, origin, created_at, text }: Snippet, position: number): string {
  const facts = [trust_tier, `${source_type} by ${origin}`, created_at.slice(0, 10)];
  return `${position}. ${id} (${facts.join(', ')})\n   ${indented(text)}`;
}

function nothing({ diagnostics }: MemoryOutput): string {
  const { reason, floor_used, incomparable } = diagnostics;
  if (reason === 'floor_excluded_all')
    return `No memory matches: no row reaches the floor of ${floor_used}. Ask in other words.`;
  if (incomparable !== undefined)
    return `No memory can be searched: ${incomparable} rows are embedded with another model or dimension.`;
  return 'No memory passes these filters.';
}

/** The complete result as a numbered list. */
export function memoryText(output: MemoryOutput): string {
  const { snippets, partial } = output;
  if (snippets.length === 0) return nothing(output);
  const more = partial ? ['The list is truncated to fit into the response; use a smaller top_k.'] : [];
  return [...snippets.map((snippet, i) => item(snippet, i + 1)), ...more].join('\n');
}

/** One line, for hosts that show the snippets themselves. */
export function memorySummary(output: MemoryOutput): string {
  const { snippets } = output;
  if (snippets.length === 0) return nothing(output);
  const thoughts = snippets.filter(({ table }) => table === 'thoughts').length;
  return `${snippets.length - thoughts} snippets of the graph, ${thoughts} thoughts; best: ${snippets[0]?.id}.`;
}

export const retrieveMemoryTool = defineTool({
  name: 'inner_voice.retrieve',
  title: 'Retrieve memories',
  description:
    'Use when earlier thoughts or known facts (a knowledge graph) may bear on a question. ' +
    'Do not use when the documents should answer: call kb.retrieve_evidence. ' +
    'Returns at most top_k verbatim snippets, best first, with id, date, origin and trust tier (48 KB); ' +
    'green is noted by people or curated, amber by tools, red by models or unknown. Nothing is synthesised. ' +
    'If you need more, call inner_voice.retrieve with a larger top_k or a lower floor. ' +
    'Defaults: top_k 10, floor 0.08, mix 0.6, no private thoughts. Max: 50 snippets of 800 characters.',
  input: memoryInputSchema,
  output: memoryOutputSchema,
  feature: 'inner_voice',
  isCore: false,
  permission: 'read',
  mounts: ['memory'],
  budget: { bytes: 49_152, tokens: 20_000 },
  rendering: { full: memoryText, summary: memorySummary },
  refuse: (error, value) => invalidInput(error, { schema: memoryInputSchema, value }, 'invalid_params'),
  unexpected: 'internal_error',
  isPersonal: true,
});

export const RetrieveMemoryTool = toolController(MemoryService, retrieveMemoryTool, (service, call, input) =>
  service.retrieve(call, input),
);
