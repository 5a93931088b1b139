import { restLines } from '../../../core/reply.js';
import { defineTool } from '../../../mcp/define-tool.js';
import { toolController } from '../../../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../../../text/untrusted-text.js';
import { explainInput, explainOutput, type Explanation } from './explain.schemas.js';
import { ExplainService } from './explain.service.js';

export const explainTool = defineTool({
  name: 'index.explain',
  title: 'Why a section was not found',
  description:
    'Use when you operate this server and a question does not find a section that should answer it. ' +
    'Do not use when you want the answer: call kb.retrieve_evidence. ' +
    'Returns at most one explanation: the causes, with ranks and the next step, and the words that the section contains. ' +
    'If you need more, call kb.search with the advised keywords or options. ' +
    'Defaults: tool kb.retrieve_evidence, top_k 5. Max: top_k 50. The size limit of the explained result is not applied.',
  input: explainInput,
  output: explainOutput,
  feature: 'index',
  isCore: false,
  permission: 'operator',
  capability: 'explain',
  mounts: ['documents', 'diagnostics'],
  standsFor: ['kb.search', 'kb.retrieve_evidence'],
  budget: { bytes: 16_384, tokens: 6_000 },
  rendering: {
    full: explanationText,
    summary: ({ section_id, tool, causes }) => `${section_id}, ${tool}: ${causes[0]?.cause ?? 'unknown'}.`,
  },
});

function explanationText(
  { section_id, tool, causes, terms, partial }: Explanation,
  fence: TextFence = NO_FENCE,
): string {
  const isReturned = causes[0]?.cause === 'returned';
  const lines = causes.flatMap(({ said, next }, i) => [`${i + 1}. ${said}`, `   ${next}`]);
  const { asked, held } = terms;
  return [
    `${section_id} is ${isReturned ? '' : 'not '}returned by ${tool}.`,
    fence(section_id, lines.join('\n')),
    ...restLines({ partial }),
    `Query words: ${asked.join(', ') || 'none'}; found in the section: ${held.join(', ') || 'none'}.`,
  ].join('\n');
}

export const ExplainTool = toolController(ExplainService, explainTool, (service, call, input) =>
  service.explain(call, input),
);
