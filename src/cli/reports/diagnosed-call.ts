import { InvalidArgumentError } from '../../core/errors.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import {
  type ReplayRequest,
  replayRequest,
  RETRIEVAL_TOOLS,
  type RetrievalToolName,
  retrievalToolNamed,
} from '../../diagnostics/record/replay-request.js';
import type { TextFlags } from '../commands/diagnostics-program.js';
import type { ToolRun } from '../running/run-again.js';

/** A recorded call as it can be run again, and what has to be said of that. */
export interface DiagnosedCall extends Pick<ReplayRequest, 'isSameQuery' | 'missing'> {
  readonly run: ToolRun;
}

/** @throws InvalidArgumentError for a tool that is not run again */
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

/** How many sections stood before the page that was returned. */
function offsetOf({ request, results }: DiagnosticRecord): number {
  const isLaterPage = typeof request?.['cursor'] === 'string';
  return isLaterPage ? Math.max(0, (results[0]?.rank ?? 1) - 1) : 0;
}

/** Filters that options give, by the names that tools take them by; undefined where none is given. */
export function givenFilters(flags: TextFlags): Readonly<Record<string, unknown>> | undefined {
  const { docTag, pathPrefix, updatedAfter } = flags;
  const filters = {
    ...(docTag ? { doc_tag: docTag } : {}),
    ...(pathPrefix === undefined ? {} : { path_prefix: pathPrefix }),
    ...(updatedAfter === undefined ? {} : { updated_after: updatedAfter }),
  };
  return Object.keys(filters).length > 0 ? filters : undefined;
}

/** A recorded call, with what the options say in place of texts that were not stored. @throws InvalidArgumentError */
export function diagnosedCall(record: DiagnosticRecord, flags: TextFlags): DiagnosedCall {
  const tool = toolOf(record);
  const { query, keyword, part } = flags;
  const given = { query, keywords: keyword, parts: part, filters: givenFilters(flags) };
  const { request, isSameQuery, missing } = replayRequest(record, given);
  return { run: { tool, request, offset: offsetOf(record) }, isSameQuery, missing };
}

/** What somebody should know who reads the outcome. */
export function remarksOn({
  isSameQuery,
  missing,
}: Pick<DiagnosedCall, 'isSameQuery' | 'missing'>): string[] {
  return [
    ...(isSameQuery === false
      ? ['This query is NOT the recorded one: the hashes differ. The result below is for another question.']
      : []),
    ...(missing.length > 0
      ? [
          `Omitted because their texts were not stored: ${missing.join(', ')}. Give them again (--keyword, --part, --doc-tag, --path-prefix, --updated-after).`,
        ]
      : []),
  ];
}
