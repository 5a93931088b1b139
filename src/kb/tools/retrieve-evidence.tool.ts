import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { retrievedEvidenceSchema, retrieveInput } from '../evidence.schemas.js';
import { EvidenceService } from '../evidence/evidence.service.js';
import { EVIDENCE_VIEW } from '../evidence-view.js';
import { evidenceSummary, evidenceText } from '../render-kb.js';

export const retrieveEvidenceTool = defineTool({
  name: 'kb.retrieve_evidence',
  title: 'Answer from the documents',
  description:
    'Use when a question should be answered from the documents. Do not use when you only want to see which sections ' +
    'exist: call kb.search. Returns at most 12 KB of verbatim quotes, each under its section_id and passage_id, and ' +
    'if an answer is likely (`unlikely`: it is probably not in the documents). If you need more, call ' +
    'kb.read_excerpt with a passage_id, or ask again with skip_seen or other keywords. Defaults: as many quotes as ' +
    'help; with max_quotes or max_quote_tokens, 6 of 80 tokens. Max: 12 of 200.',
  input: retrieveInput,
  output: retrievedEvidenceSchema,
  feature: 'kb',
  isCore: true,
  isRetrieval: true,
  permission: 'read',
  version: '4',
  mounts: ['documents'],
  budget: { bytes: 12_288, tokens: 7_000 },
  rendering: { full: evidenceText, summary: evidenceSummary },
  view: EVIDENCE_VIEW,
});

export const RetrieveEvidenceTool = toolController(
  EvidenceService,
  retrieveEvidenceTool,
  (service, call, input) => service.retrieve(call, input),
);
