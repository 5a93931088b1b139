import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { type Reply, restLines } from '../../core/reply.js';
import { retrievedEvidenceSchema } from '../../kb/evidence.schemas.js';
import { EVIDENCE_VIEW } from '../../kb/evidence-view.js';
import { evidenceSummary, evidenceText } from '../../kb/render-kb.js';
import { callOf, callReports } from '../../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../../mcp/define-tool.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import { answeredTool } from '../../mcp/tool-controller.js';
import { plainLine } from '../../text/plain-line.js';
import { refsOfManifest, RUN_MS } from './indexing/index.schemas.js';
import {
  type CreatedKb,
  createKbInput,
  createKbOutput,
  DEFAULT_LISTED_CORPORA,
  listKbsInput,
  listKbsOutput,
  MAX_CORPUS_NOTES,
  MAX_LISTED_CORPORA,
  queryKbInput,
} from './knowledge.schemas.js';
import { CreateKbService, kbLine, KnowledgeService } from './knowledge.service.js';

const createKbTool = defineTool({
  name: 'knowledge.kb_create',
  title: 'Build a named corpus',
  description:
    'Use when documents should be searched apart from those of the server: as a corpus of its own, with a name. ' +
    'Do not use when they should replace the documents of the server: call index.ingest. ' +
    `Returns at most one report: counts, and the first ${MAX_CORPUS_NOTES} skipped files and remarks (16 KB). ` +
    'If you need more, call knowledge.kb_query with the name. ' +
    'Defaults: no description, replace false, stops after 6 hours. Max: one at a time; 100 corpora of a project.',
  input: createKbInput,
  output: createKbOutput,
  feature: 'knowledge',
  isCore: false,
  permission: 'read',
  safety: 'write',
  mounts: ['work'],
  waitsMs: RUN_MS,
  reportsProgress: true,
  budget: { bytes: 16_384, tokens: 6_000 },
  checkReady: ({ call, input, service }) => service(CreateKbService).check(call, input),
  rendering: {
    full: createdText,
    summary: ({ name, documents, sections }) => `${name}: ${documents} documents, ${sections} sections.`,
    refs: refsOfManifest,
  },
});

function createdText(kb: CreatedKb): string {
  const line = ({ path, reason }: CreatedKb['notes'][number]): string => plainLine(`  ${path}: ${reason}`);
  return [
    `Built in ${kb.seconds.toFixed(1)} s: ${kbLine(kb)}`,
    ...(kb.notes.length > 0 ? [`Skipped files: ${kb.skipped_files}. Notes:`, ...kb.notes.map(line)] : []),
    ...restLines(kb),
  ].join('\n');
}

@McpController()
class CreateKbTool {
  constructor(private readonly service: CreateKbService) {}

  @McpTool(createKbTool)
  create(
    @Payload() input: ToolInput<typeof createKbTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<CreatedKb>> {
    const reports = callReports(context);
    return this.service.create(callOf(context), input, (progress) => reports.progress(progress));
  }
}

/** The tools of named corpora, in the order of the tool list. */
export const KNOWLEDGE_TOOLS = [
  CreateKbTool,
  answeredTool(KnowledgeService, {
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
    version: '3',
    mounts: ['work', 'documents'],
    standsFor: DOCUMENT_TEXT,
    budget: { bytes: 12_288, tokens: 6_000 },
    rendering: { full: evidenceText, summary: evidenceSummary },
    view: EVIDENCE_VIEW,
    answer: (service, call, input) => service.query(call, input),
  }),
  answeredTool(KnowledgeService, {
    name: 'knowledge.kb_list',
    title: 'Named corpora',
    description:
      'Use when you want to know which named corpora this server has. Do not use when you want to know which collections ' +
      'its own index has: call scope.describe. ' +
      `Returns at most ${MAX_LISTED_CORPORA} corpora, by name (32 KB). If you need more, call it again with next_cursor. ` +
      `Defaults: limit ${DEFAULT_LISTED_CORPORA}. Max: limit ${MAX_LISTED_CORPORA}.`,
    input: listKbsInput,
    output: listKbsOutput,
    feature: 'knowledge',
    isCore: false,
    permission: 'read',
    mounts: ['work'],
    budget: { bytes: 32_768, tokens: 16_384 },
    rendering: {
      full: (page, fence) =>
        [
          `Corpora: ${page.corpora.length}`,
          ...page.corpora.map((each) => kbLine(each, fence)),
          ...restLines(page),
        ].join('\n'),
      summary: ({ corpora }) => `${corpora.length} corpora.`,
      refs: ({ corpora }) => corpora.flatMap(refsOfManifest),
    },
    answer: (service, call, input) => service.list(call, input),
  }),
];
