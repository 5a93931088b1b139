import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { type Reply, restLines } from '../../core/reply.js';
import { reportsOf } from '../../mcp/call-reports.js';
import { callOf } from '../../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../../mcp/define-tool.js';
import { plainLine } from '../../text/plain-line.js';
import { RUN_MS } from './indexing/ingest.schemas.js';
import { refsOfManifest } from './indexing/manifest-facts.js';
import { CreateKbService } from './create-kb.service.js';
import { kbLine } from './kb-entry.js';
import { type CreatedKb, createKbInput, createKbOutput, MAX_CORPUS_NOTES } from './knowledge.schemas.js';

export const createKbTool = defineTool({
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
export class CreateKbTool {
  constructor(private readonly service: CreateKbService) {}

  @McpTool(createKbTool)
  create(
    @Payload() input: ToolInput<typeof createKbTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<CreatedKb>> {
    const reports = reportsOf(context);
    return this.service.create(callOf(context), input, (progress) => reports.progress(progress));
  }
}
