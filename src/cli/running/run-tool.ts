import { z } from 'zod';
import type { Call, RetrievalTrace, Usage } from '../../core/call.js';
import type { Config } from '../../config/config.js';
import { buildRecord, recordFacts } from '../../diagnostics/record/build-record.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import type { RetrievalToolName } from '../../diagnostics/record/retrieval-tools.js';
import { PithError } from '../../core/errors.js';
import { NOTHING_RANKED } from '../../core/note-retrieval.js';
import type { SectionFilter } from '../../core/ports/section-index.port.js';
import { loadHosts } from '../../mcp/surface/load-hosts.js';
import { ceilingsFor } from '../../mcp/pipeline/output.interceptor.js';
import { declaredCeilings, usageFor } from '../../mcp/pipeline/output-usage.js';
import { renderResult } from '../../mcp/rendering/render.js';
import { renderWithin } from '../../mcp/rendering/render-within.js';
import { resolveSurface } from '../../mcp/surface/surface.js';
import { PACKAGE_ROOT } from '../../core/package-facts.js';
import { embedderName } from '../../engines/open-models.js';
import type { Reply } from '../../core/reply.js';
import type { Scope } from '../../core/scope.js';
import type { LocalServices } from './local-services.js';
import { RUNNABLE } from './runnable-tools.js';
import type { Request, Runnable } from './runnable-tools.js';

/** What is run, and where. */
export interface ToolRun {
  readonly tool: RetrievalToolName;
  readonly request: Request;
  readonly scope: Scope;
  /** Whose call it was, since a result names its session; null for the person at the keyboard. */
  readonly sessionId: string | null;
  /** Sections of the list before the page that is wanted; 0 for the first page. */
  readonly offset: number;
}

/** What a tool did. */
export interface RanTool {
  readonly retrieval: RetrievalTrace;
  readonly filter: SectionFilter;
  /** As a server would have written it, with texts. */
  readonly record: DiagnosticRecord;
  /** What it failed with; null where it did not. */
  readonly error: PithError | null;
}

/** Where tools are run. */
export interface Session {
  readonly services: LocalServices;
  readonly config: Config;
}

interface Page extends RanTool {
  readonly next: string | null;
}

const pageSchema = z.object({ next_cursor: z.string().nullable() });
const NO_USAGE: Usage = {
  bytes: 0,
  tokens: 0,
  limitReason: 'none',
  isPartial: false,
  ceilings: { bytes: 0, tokens: 0 },
};

/** Renders a reply as a server does, so that the call knows what was shown. @returns the cursor of the next page */
function render(call: Call, { definition }: Runnable, reply: Reply<unknown>, config: Config): string | null {
  const hosts = loadHosts(PACKAGE_ROOT, config.surface.hostsFile);
  const surface = resolveSurface([definition], config, hosts);
  const ceilings = ceilingsFor(definition, config.limits.maxResponseBytes);
  const rendered = renderWithin(reply, ceilings, (output) => renderResult(call, definition, output, surface));
  call.trace.usage = usageFor(rendered, declaredCeilings(definition, config.limits.maxResponseBytes), reply);
  reply.shown?.(rendered.output);
  return pageSchema.safeParse(rendered.output).data?.next_cursor ?? null;
}

function recordOf(call: Call, tool: string, error: PithError | null, config: Config): DiagnosticRecord {
  const start = {
    id: call.id,
    transport: 'stdio' as const,
    method: 'tools/call',
    tool,
    meta: {},
    headers: {},
  };
  const finished = {
    call,
    start,
    args: call.trace.input,
    durationMs: call.elapsed(),
    error: error && { code: error.code, reason: error.reason, message: error.message },
    usage: call.trace.usage ?? NO_USAGE,
  };
  const facts = recordFacts(config, { embedder: embedderName(config), storesText: true });
  return buildRecord(finished, facts);
}

async function newCall({ scope, sessionId }: ToolRun, { services }: Session): Promise<Call> {
  const call = await services.newCall();
  return { ...call, scope, caller: { ...call.caller, ...(sessionId === null ? {} : { sessionId }) } };
}

async function runPage(run: ToolRun, session: Session): Promise<Page> {
  const { tool } = run;
  const { services, config } = session;
  const runnable = RUNNABLE[tool];
  const { input, filter, ask } = runnable.read(run.request);
  const call = await newCall(run, session);
  Object.assign(call.trace, { input, isRetrieval: true, isDebug: true });
  const finish = (error: PithError | null, next: string | null): Page => {
    const retrieval = call.trace.retrieval ?? NOTHING_RANKED;
    return { retrieval, filter, record: recordOf(call, tool, error, config), error, next };
  };
  try {
    const reply = await ask(services, call);
    return finish(null, render(call, runnable, reply, config));
  } catch (error) {
    if (error instanceof PithError) return finish(error, null);
    throw error;
  }
}

/**
 * Asks a tool without a server: its schema, its service, its rendering within its budget. Turns pages until the one that
 * is wanted.
 * @throws InvalidArgumentError for arguments that the tool does not take; what it fails with itself is in the result
 */
export async function runTool(run: ToolRun, session: Session): Promise<RanTool> {
  let page = await runPage(run, session);
  let seen = page.retrieval.shown.length;
  while (page.next !== null && seen <= run.offset) {
    const request = { ...run.request, cursor: page.next };
    page = await runPage({ ...run, request }, session);
    seen += page.retrieval.shown.length;
  }
  return page;
}
