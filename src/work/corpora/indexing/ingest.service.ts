import { Injectable } from '@nestjs/common';
import type { Call } from '../../../core/call.js';
import type { IndexedManifest } from '../../../core/ports/index-source.js';
import { listReply, type Reply } from '../../../core/reply.js';
import { IndexRuns } from '../../../engines/index-runs.js';
import { type IndexRunProgress, type IndexRunReport } from '../../../ingest/runs/index-processes.js';
import type { CallProgress } from '../../../mcp/call-reports.js';
import { clipText } from '../../../text/span.js';
import { type DocumentsInput, type IngestOutput, manifestFacts, MAX_LISTED_NOTES } from './index.schemas.js';
import { SourceService } from './source.service.js';

/** Converts the progress of a run, which counts each phase from 0, to one number that only grows. */
export function growingProgress(
  report: (progress: CallProgress) => void,
): (progress: IndexRunProgress) => void {
  let verb = '';
  let before = 0;
  let reached = 0;
  return ({ done, total, noun, ...phase }) => {
    if (phase.verb !== verb) before = reached;
    verb = phase.verb;
    reached = Math.max(reached, before + done);
    const message = `${verb}: ${done} of ${total} ${noun}`;
    report({ progress: before + done, total: before + total, message });
  };
}

/** Longest path, reason or name in a report (characters). */
const MAX_NOTE_CHARS = 500;

/** Builds the index of the server anew from a folder or a manifest. */
@Injectable()
export class IngestService {
  constructor(
    private readonly runs: IndexRuns,
    private readonly sources: SourceService,
  ) {}

  /** @throws ScopeViolationError `folder_not_allowed`; BackendUnavailableError, also `index_busy`; InvalidArgumentError */
  async ingest(
    call: Call,
    input: DocumentsInput,
    report: (progress: CallProgress) => void,
  ): Promise<Reply<IngestOutput>> {
    const { projectId: project, environment } = call.scope;
    const watch = { signal: call.signal, onProgress: growingProgress(report) };
    const source = await this.sources.choose(call, input);
    const origin = source.kind === 'manifest' ? source : null;
    const { isRunning: isBusy } = this.runs;
    const done = await this.sources.withFolder(call, { source, watch, isBusy }, (folder) =>
      this.runs.run({ folder, origin, project, environment }, watch),
    );
    return reportReply(done, origin);
  }
}

const noteOf = ({ path, reason }: { readonly path: string; readonly reason: string }) => ({
  path: clipText(path, MAX_NOTE_CHARS),
  reason: clipText(reason, MAX_NOTE_CHARS),
});

/** The report, with lists of at most `count` items. */
function reportReply(report: IndexRunReport, origin: IndexedManifest | null): Reply<IngestOutput> {
  const { graph, taxonomy, unread, skipped, remarks } = report;
  const { nodes, edges, links, unresolved } = graph;
  const most = Math.max(
    graph.examples.length,
    taxonomy.length,
    unread.length,
    skipped.length,
    remarks.length,
  );
  const start = { count: Math.min(MAX_LISTED_NOTES, most), maxChars: 0 };
  return listReply(start, ({ count, reason }) => ({
    generation: report.generation,
    documents: report.documents,
    sections: report.sections,
    parsed: report.parsed,
    unchanged: report.unchanged,
    resumed: report.resumed,
    removed: report.removed,
    ignored: report.ignored,
    seconds: report.seconds,
    ...(origin ? manifestFacts(origin) : {}),
    graph: {
      nodes,
      edges,
      links,
      unresolved,
      examples: graph.examples.slice(0, count).map((text) => clipText(text, MAX_NOTE_CHARS)),
    },
    taxonomy: taxonomy
      .slice(0, count)
      .map(({ key, values }) => ({ key: clipText(key, MAX_NOTE_CHARS), values })),
    unread: unread.slice(0, count),
    skipped: skipped.slice(0, count).map(noteOf),
    skipped_files: skipped.length,
    remarks: remarks.slice(0, count).map(noteOf),
    partial: count < most,
    limit_reason: reason ?? (count < most ? 'page_size' : 'none'),
  }));
}
