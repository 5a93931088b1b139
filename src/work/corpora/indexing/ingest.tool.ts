import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { Reply } from '../../../core/reply.js';
import { isMissingText } from '../../../ingest/missing-text.js';
import { reportsOf } from '../../../mcp/call-reports.js';
import { callOf } from '../../../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../../../mcp/define-tool.js';
import { plainLine } from '../../../text/plain-line.js';
import { ingestInput, type IngestOutput, ingestOutput, MAX_LISTED_NOTES, RUN_MS } from './ingest.schemas.js';
import { IngestService } from './ingest.service.js';
import { manifestText, refsOfManifest } from './manifest-facts.js';
import { SourceService } from './source.service.js';

export const ingestTool = defineTool({
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
export class IngestTool {
  constructor(private readonly service: IngestService) {}

  @McpTool(ingestTool)
  ingest(
    @Payload() { source }: ToolInput<typeof ingestTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<IngestOutput>> {
    const reports = reportsOf(context);
    return this.service.ingest(callOf(context), source, (progress) => reports.progress(progress));
  }
}
