import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Config } from '../../config/config.js';
import type { RetrievalTrace } from '../../core/call.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import { NOTHING_RANKED } from '../../core/note-retrieval.js';
import type { Scope } from '../../core/scope.js';
import { buildRecord, recordFacts } from '../../diagnostics/record/build-record.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { recordedScope } from '../../diagnostics/record/recorded-scope.js';
import type { RetrievalToolName } from '../../diagnostics/record/replay-request.js';
import { embedderName } from '../../engines/open-models.js';
import { type AnsweredCall, outputOf, type ToolArguments } from '../../mcp/answered-call.js';
import { type OpenSession, type Session, withSession } from './session.js';

/** A call to make again. */
export interface ToolRun {
  readonly tool: RetrievalToolName;
  readonly request: ToolArguments;
  /** Sections of the list before the page that is wanted; 0 for the first page. */
  readonly offset: number;
}

/** The outcome of a call. */
export interface RanTool {
  readonly retrieval: RetrievalTrace;
  /** As a server would have written it, with texts. */
  readonly record: DiagnosticRecord;
  /** Null where the call succeeded. */
  readonly error: PithError | null;
}

/** An open application and its settings. */
export interface Replaying {
  readonly session: Session;
  readonly config: Config;
}

const pageSchema = z.object({ next_cursor: z.string().nullable() });

/** The error of a failed call. @throws InvalidArgumentError for arguments that the tool refuses, and unexpected errors */
function errorOf({ finished: { call, error } }: AnsweredCall, tool: string): PithError | null {
  if (!error) return null;
  const { thrown } = error;
  if (!(thrown instanceof PithError)) throw thrown;
  if (call.trace.input) return thrown;
  if (!(thrown instanceof InvalidArgumentError)) throw thrown;
  throw new InvalidArgumentError(`invalid arguments for ${tool}: ${thrown.message}`, {
    reason: 'invalid_input',
    hint: 'Correct the arguments. A diagnostic of another Pith version may hold arguments of that version.',
  });
}

/**
 * Makes a call through the pipeline, turning pages up to the wanted one.
 * @throws InvalidArgumentError for arguments that the tool does not take; its own failures are in the result
 */
export async function runAgain(run: ToolRun, { session, config }: Replaying): Promise<RanTool> {
  const { tool } = run;
  const facts = recordFacts(config, { embedder: embedderName(config), storesText: true });
  let { request } = run;
  for (let seen = 0; ;) {
    const answer = await session.call(tool, request);
    const error = errorOf(answer, tool);
    const retrieval = answer.finished.call.trace.retrieval ?? NOTHING_RANKED;
    seen += retrieval.shown.length;
    const cursor = error ? null : (pageSchema.safeParse(outputOf(answer)).data?.next_cursor ?? null);
    if (cursor === null || seen > run.offset)
      return { retrieval, record: buildRecord(answer.finished, facts), error };
    request = { ...run.request, cursor };
  }
}

/** A list of a scope as a setting. There, an empty list means all; no document has an empty tag. */
function asSetting(values: readonly string[] | null): string[] {
  return values?.length === 0 ? [''] : [...(values ?? [])];
}

/** The settings with the scope of a recorded call, no wider than the configured one; null where it is that one. */
function narrowed(config: Config, configured: Scope, record: DiagnosticRecord): Config | null {
  const { docTags, repositories } = recordedScope(configured, record);
  if (isDeepStrictEqual([docTags, repositories], [configured.docTags, configured.repositories])) return null;
  const scope = { ...config.scope, docTags: asSetting(docTags), repositories: asSetting(repositories) };
  return { ...config, scope };
}

/**
 * Opens the application for a call that is made again, with the scope of its record.
 * @param record  null for a call that was not recorded
 * @throws InvalidArgumentError, ScopeViolationError for a scope that does not overlap the configured one
 */
export function withReplaying<T>(
  open: OpenSession,
  { config, record }: { readonly config: Config; readonly record: DiagnosticRecord | null },
  use: (replaying: Replaying) => Promise<T>,
): Promise<T> {
  return withSession(open(config, { isDebug: true }), async (session) => {
    const own = record && narrowed(config, await session.scope(), record);
    if (!own) return use({ session, config });
    return withSession(open(own, { isDebug: true }), (inner) => use({ session: inner, config: own }));
  });
}
