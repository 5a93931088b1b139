import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { type Reply, restLines } from '../../../core/reply.js';
import { isMissingText } from '../../../ingest/missing-text.js';
import { callOf, callReports } from '../../../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../../../mcp/define-tool.js';
import { answeredTool } from '../../../mcp/tool-controller.js';
import { plainLine } from '../../../text/plain-line.js';
import { NO_FENCE, type TextFence } from '../../../text/untrusted-text.js';
import {
  explainInput,
  explainOutput,
  type Explanation,
  type IndexStatus,
  indexStatusInput,
  indexStatusOutput,
  ingestInput,
  type IngestOutput,
  ingestOutput,
  manifestText,
  MAX_LISTED_NOTES,
  refsOfManifest,
  RUN_MS,
} from './index.schemas.js';
import { ExplainService, IndexStatusService } from './index-status.service.js';
import { IngestService } from './ingest.service.js';
import { SourceService } from './source.service.js';

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

function statusText(status: IndexStatus): string {
  const { generation, documents, sections, engines, embedder, source } = status;
  const running = status.is_running ? 'This server indexes now.' : 'This server does not index now.';
  if (generation === null) return `There is no index that this server can read. ${running}`;
  const from = source === null ? '' : ` from ${sourceText(source)}`;
  const changed =
    status.changed === undefined ? [] : [status.changed ? 'It has changed.' : 'It has not changed.'];
  return [
    `${documents} documents, ${sections} sections; generation ${generation}, indexed at ${status.indexed_at}${from}.`,
    ...changed,
    `Engines: ${engines.join(', ')}; embedder: ${embedder ?? 'none'}. ${running}`,
  ].join('\n');
}

const sourceText = (source: NonNullable<IndexStatus['source']>): string =>
  manifestText(source) || `folder ${plainLine(source.path ?? source.name ?? '')}`;

const ingestTool = defineTool({
  name: 'index.ingest',
  title: 'Index a folder or a manifest',
  description:
    'Use when documents have changed and the index should show it. The index then holds the documents of this folder ' +
    'or manifest and no others; unchanged documents are not indexed again. ' +
    'Do not use when you only want to know how current the index is: call index.status. ' +
    `Returns at most one report: counts, and the first ${MAX_LISTED_NOTES} skipped files and remarks (16 KB). ` +
    'If you need more, call it again after a timeout or a cancellation: the run continues. ' +
    'Defaults: stops after 6 hours. Max: one run at a time.',
  input: ingestInput,
  output: ingestOutput,
  feature: 'index',
  isCore: false,
  permission: 'read',
  safety: 'write',
  isRepeatable: true,
  mounts: ['work'],
  waitsMs: RUN_MS,
  reportsProgress: true,
  budget: { bytes: 16_384, tokens: 6_000 },
  checkReady: ({ call, input, service }) => service(SourceService).choose(call, input.source),
  rendering: {
    full: reportText,
    summary: ({ documents, sections }) => `Indexed: ${documents} documents, ${sections} sections.`,
    refs: refsOfManifest,
  },
});

function reportText(report: IngestOutput): string {
  const { documents, sections, parsed, unchanged, resumed, removed, seconds } = report;
  const work = `${parsed} parsed, ${unchanged} unchanged, ${resumed} reused from an unfinished run, ${removed} removed`;
  const manifest = manifestText(report);
  const from = manifest === '' ? '' : `, of ${manifest}`;
  const line = ({ path, reason }: IngestOutput['skipped'][number]): string =>
    plainLine(`  ${path}: ${reason}`);
  const missing = report.remarks.filter(isMissingText);
  const remarks = report.remarks.filter((remark) => !isMissingText(remark));
  return [
    ...missing.map((remark) => line(remark).trimStart()),
    `Indexed: ${documents} documents, ${sections} sections; ${work}; ${seconds.toFixed(1)} s.`,
    `Generation ${report.generation}${from}.`,
    ...(report.skipped_files > 0 ? [`Skipped: ${report.skipped_files}`, ...report.skipped.map(line)] : []),
    ...(remarks.length > 0 ? ['Remarks:', ...remarks.map(line)] : []),
    ...(report.partial ? ['The lists are truncated.'] : []),
  ].join('\n');
}

@McpController()
class IngestTool {
  constructor(private readonly service: IngestService) {}

  @McpTool(ingestTool)
  ingest(
    @Payload() { source }: ToolInput<typeof ingestTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<IngestOutput>> {
    const reports = callReports(context);
    return this.service.ingest(callOf(context), source, (progress) => reports.progress(progress));
  }
}

/** The tools of the index, in the order of the tool list. */
export const INDEX_TOOLS = [
  answeredTool(ExplainService, {
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
    answer: (service, call, input) => service.explain(call, input),
  }),
  answeredTool(IndexStatusService, {
    name: 'index.status',
    title: 'State of the index',
    description:
      'Use when you want to know how current the index is, what it was built from, or if it is being built now. ' +
      'Do not use when you want to know which collections exist: call scope.describe. ' +
      'Returns at most one state: generation, documents, sections, time, engines, embedder, whether this server indexes now. ' +
      'If you need more, call index.search. ' +
      'Defaults: without known_generation, changed is left out. Max: one state.',
    input: indexStatusInput,
    output: indexStatusOutput,
    feature: 'index',
    isCore: false,
    permission: 'read',
    mounts: ['work'],
    budget: { bytes: 4_096, tokens: 1_500 },
    rendering: { full: statusText, summary: statusText, refs: ({ source }) => refsOfManifest(source ?? {}) },
    answer: (service, call, { known_generation }) => service.describe(call, known_generation),
  }),
  IngestTool,
];
