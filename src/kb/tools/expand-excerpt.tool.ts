import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { excerptSchema, expandExcerptInput } from '../excerpt.schemas.js';
import { ExcerptService } from '../excerpts/excerpt.service.js';
import { excerptSummary, excerptText } from '../render-kb.js';

export const expandExcerptTool = defineTool({
  name: 'kb.expand_excerpt',
  title: 'Read around a quote',
  description:
    'Use when you want the text right before and after what you last saw of a passage: a quote, preview or excerpt. ' +
    'Do not use when you want to read from the start: call kb.read_excerpt. Returns at most 800 tokens of verbatim ' +
    'text from the same section (32 KB). If you need more, call it again to widen the window. Defaults: 150 ' +
    'tokens on each side. Max: 800 tokens.',
  input: expandExcerptInput,
  output: excerptSchema,
  feature: 'kb',
  isCore: false,
  permission: 'read',
  mounts: ['documents'],
  standsFor: ['kb.read_excerpt'],
  // Each call widens the window.
  isRepeatable: false,
  budget: { bytes: 49_152, tokens: 5_000 },
  rendering: { full: excerptText, summary: excerptSummary },
});

export const ExpandExcerptTool = toolController(ExcerptService, expandExcerptTool, (service, call, input) =>
  service.expand(call, input),
);
