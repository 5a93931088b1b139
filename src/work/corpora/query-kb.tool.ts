import { retrievedEvidenceSchema } from '../../kb/evidence.schemas.js';
import { evidenceSummary, evidenceText } from '../../kb/render-kb.js';
import { defineTool } from '../../mcp/define-tool.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import { toolController } from '../../mcp/tool-controller.js';
import { queryKbInput } from './knowledge.schemas.js';
import { KnowledgeService } from './knowledge.service.js';

export const queryKbTool = defineTool({
  name: 'knowledge.kb_query',
  title: 'Answer from a named corpus',
  description:
    'Use when a question should be answered from a named corpus. Do not use when it is about the documents of this ' +
    'server itself: call kb.retrieve_evidence. Returns at most 12 KB of verbatim quotes, each under its section_id and ' +
    'passage_id, and if an answer is likely. If you need more, call kb.read_excerpt with a passage_id, or ask again ' +
    'with skip_seen or other keywords. Defaults: as many quotes as help; with max_quotes or max_quote_tokens, 6 of 80 ' +
    'tokens. Max: 12 of 200.',
  input: queryKbInput,
  output: retrievedEvidenceSchema,
  feature: 'knowledge',
  isCore: false,
  isRetrieval: true,
  permission: 'read',
  mounts: ['work', 'documents'],
  standsFor: DOCUMENT_TEXT,
  budget: { bytes: 12_288, tokens: 6_000 },
  rendering: { full: evidenceText, summary: evidenceSummary },
});

export const QueryKbTool = toolController(KnowledgeService, queryKbTool, (service, call, input) =>
  service.query(call, input),
);
