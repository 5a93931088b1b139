import { defineTool } from '../mcp/define-tool.js';
import { invalidInput } from '../mcp/invalid-input.js';
import { toolController } from '../mcp/tool-controller.js';
import { memoryInputSchema, memoryOutputSchema } from './memory.schemas.js';
import { MemoryService } from './memory.service.js';
import { memorySummary, memoryText } from './render-memory.js';

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
