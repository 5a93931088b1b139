import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { evidenceSchema, extractInput } from '../evidence.schemas.js';
import { EvidenceService } from '../evidence/evidence.service.js';
import { evidenceSummary, evidenceText } from '../render-kb.js';

export const extractEvidenceTool = defineTool({
  name: 'kb.extract_evidence',
  title: 'Quote from passages',
  description:
    'Use when you already have passage_ids and want only the sentences in them that answer a question. Do not use ' +
    'when you have no passage_ids: kb.retrieve_evidence searches and quotes in one call. Returns at most max_quotes ' +
    'verbatim quotes with citations (12 KB). If you need more, call kb.expand_excerpt with a passage_id. Defaults: 6 ' +
    'quotes of 80 tokens, each with 20 tokens of context. Max: 12 quotes of 200 tokens, from at most 20 passages.',
  input: extractInput,
  output: evidenceSchema,
  feature: 'kb',
  isCore: false,
  permission: 'read',
  mounts: ['documents'],
  standsFor: ['kb.read_excerpt'],
  budget: { bytes: 12_288, tokens: 6_000 },
  rendering: { full: evidenceText, summary: evidenceSummary },
});

export const ExtractEvidenceTool = toolController(
  EvidenceService,
  extractEvidenceTool,
  (service, call, input) => service.extract(call, input),
);
