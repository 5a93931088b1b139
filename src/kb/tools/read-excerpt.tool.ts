import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { excerptSchema, readExcerptInput } from '../excerpt.schemas.js';
import { ExcerptService } from '../excerpts/excerpt.service.js';
import { excerptSummary, excerptText } from '../render-kb.js';

export const readExcerptTool = defineTool({
  name: 'kb.read_excerpt',
  title: 'Read part of a passage',
  description:
    'Use when a preview or quote is not enough and you want to read the passage from start_char on. Do not use when ' +
    'you want only the sentences that answer: call kb.extract_evidence. With a chunk_id instead of a ' +
    'passage_id, call get_doc. Returns at most max_tokens tokens of verbatim text. If you need more, call it again ' +
    'with start_char = next_start_char. Defaults: 300 tokens from start_char 0, as text with its citation. Max: 800 ' +
    'tokens. A passage_id expires {ttl} after its last use.',
  input: readExcerptInput,
  output: excerptSchema,
  feature: 'kb',
  isCore: true,
  permission: 'read',
  mounts: ['documents'],
  budget: { bytes: 49_152, tokens: 5_000 },
  rendering: { full: excerptText, summary: excerptSummary },
});

export const ReadExcerptTool = toolController(ExcerptService, readExcerptTool, (service, call, input) =>
  service.read(call, input),
);
