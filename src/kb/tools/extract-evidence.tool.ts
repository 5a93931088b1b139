import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { extractedEvidenceSchema, extractInput } from '../evidence.schemas.js';
import { EvidenceService } from '../evidence/evidence.service.js';
import { evidenceSummary, evidenceText } from '../render-kb.js';

export const extractEvidenceTool = defineTool({
  name: 'kb.extract_evidence',
  title: 'Quote from passages',
  description:
    'Use when you already have passage_ids and want only the sentences in them that answer a question. Do not use when you ' +
    'have none: call kb.retrieve_evidence. Returns at most 12 KB of quotes. If you need more, call ' +
    'kb.expand_excerpt. Defaults: as many quotes as help; with max_quotes or max_quote_tokens, 6 of 80 tokens. Max: ' +
    '12 of 200, 20 passages.',
  input: extractInput,
  output: extractedEvidenceSchema,
  feature: 'kb',
  isCore: false,
  permission: 'read',
  version: '3',
  mounts: ['documents'],
  standsFor: ['kb.read_excerpt'],
  budget: { bytes: 12_288, tokens: 7_000 },
  rendering: { full: evidenceText, summary: evidenceSummary },
});

export const ExtractEvidenceTool = toolController(
  EvidenceService,
  extractEvidenceTool,
  (service, call, input) => service.extract(call, input),
);
