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
import {
  type ReplayRequest,
  replayRequest,
  RETRIEVAL_TOOLS,
  type RetrievalToolName,
  retrievalToolNamed,
} from '../../diagnostics/record/replay-request.js';
import { type AnsweredCall, outputOf, type ToolArguments } from '../../mcp/answered-call.js';
import { defined, type TextFlags } from '../flags.js';
import { when } from '../reports/report-lines.js';
import { type OpenSession, type Session, withSession } from './session.js';

/** A call to make again. */
export interface ToolRun {
  readonly tool: RetrievalToolName;
  readonly request: ToolArguments;
  /** Number of sections before the wanted page; 0 for the first page. */
  readonly offset: number;
}

/** A recorded call that can be run again, with its differences from the original. */
export interface DiagnosedCall extends Pick<ReplayRequest, 'isSameQuery' | 'missing'> {
  readonly run: ToolRun;
}

function toolOf({ tool }: DiagnosticRecord): RetrievalToolName {
  const known = retrievalToolNamed(tool);
  if (known !== null) return known;
  throw new InvalidArgumentError(
    `The diagnostic is for ${tool}, which can't be run again from a diagnostic.`,
    {
      reason: 'tool_not_replayable',
      hint: `These tools can be run again: ${RETRIEVAL_TOOLS.join(', ')}.`,
    },
  );
}

function offsetOf({ request, results }: DiagnosticRecord): number {
  const isLaterPage = typeof request?.['cursor'] === 'string';
  return isLaterPage ? Math.max(0, (results[0]?.rank ?? 1) - 1) : 0;
}

/** The filters of the options as arguments of tools; undefined without options. */
export function givenFilters(flags: TextFlags): Readonly<Record<string, unknown>> | undefined {
  const { docTag, pathPrefix, updatedAfter } = flags;
  const filters = defined({ doc_tag: docTag, path_prefix: pathPrefix, updated_after: updatedAfter });
  return Object.keys(filters).length > 0 ? filters : undefined;
}

/** A recorded call; options replace texts that were not stored. @throws InvalidArgumentError */
export function diagnosedCall(record: DiagnosticRecord, flags: TextFlags): DiagnosedCall {
  const tool = toolOf(record);
  const { query, keyword, part } = flags;
  const given = { query, keywords: keyword, parts: part, filters: givenFilters(flags) };
  const { request, isSameQuery, missing } = replayRequest(record, given);
  return { run: { tool, request, offset: offsetOf(record) }, isSameQuery, missing };
}

/** Lines about differences from the recorded call. */
export function remarksOn({ isSameQuery, missing }: DiagnosedCall): string[] {
  const names = missing.join(', ');
  return [
    ...when(
      isSameQuery === false,
      'This query is NOT the recorded one: the hashes differ. The result below is for another question.',
    ),
    ...when(
      missing.length > 0,
      `Omitted because their texts were not stored: ${names}. Give them again (--keyword, --part, --doc-tag, --path-prefix, --updated-after).`,
    ),
  ];
}

export interface RanTool {
  readonly retrieval: RetrievalTrace;
  /** The diagnostic that a server would write, with texts. */
  readonly record: DiagnosticRecord;
  /** Null if the call succeeded. */
  readonly error: PithError | null;
}

/** An open application and its settings. */
export interface Replaying {
  readonly session: Session;
  readonly config: Config;
}

const pageSchema = z.object({ next_cursor: z.string().nullable() });

/** The error of a failed call. @throws InvalidArgumentError for invalid arguments; unexpected errors */
function errorOf({ finished: { call, error } }: AnsweredCall, tool: string): PithError | null {
  if (!error) return null;
  const { thrown } = error;
  if (!(thrown instanceof PithError)) throw thrown;
  if (call.decisions.input) return thrown;
  if (!(thrown instanceof InvalidArgumentError)) throw thrown;
  throw new InvalidArgumentError(`invalid arguments for ${tool}: ${thrown.message}`, {
    reason: 'invalid_input',
    hint: 'Correct the arguments. A diagnostic of another Pith version may hold arguments of that version.',
  });
}

/** Requests pages up to the wanted one. @throws InvalidArgumentError for arguments that the tool does not accept */
export async function runAgain(run: ToolRun, { session, config }: Replaying): Promise<RanTool> {
  const { tool } = run;
  const facts = recordFacts(config, {
    embedder: config.models.embedder === 'none' ? null : session.embedder.name,
    storesText: true,
  });
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

/**
 * Converts a list of a scope to a setting. An empty list becomes [''], which matches no document, because an empty
 * setting means no restriction.
 */
function asSetting(values: readonly string[] | null): string[] {
  return values?.length === 0 ? [''] : [...(values ?? [])];
}

/** The settings with the scope of a recorded call, within the configured scope; null if both scopes are equal. */
function narrowed(config: Config, configured: Scope, record: DiagnosticRecord): Config | null {
  const { docTags, repositories } = recordedScope(configured, record);
  if (isDeepStrictEqual([docTags, repositories], [configured.docTags, configured.repositories])) return null;
  const scope = { ...config.scope, docTags: asSetting(docTags), repositories: asSetting(repositories) };
  return { ...config, scope };
}

/**
 * Opens the application with the scope of a record. @param record  null for a call that was not recorded
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
