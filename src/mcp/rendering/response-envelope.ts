import { z } from 'zod';
import type { Call } from '../../core/call.js';
import { isWaiting } from '../../core/errors.js';
import { LIMIT_REASONS, type LimitReason, type Ref } from '../../core/reply.js';
import { type AnyTool, hasFixedOutput, isLegacy } from '../define-tool.js';
import { textAdapterFor } from '../surface/adapt-text.js';
import type { Surface } from '../surface/surface.js';
import { collectRefs } from './collect-refs.js';
import type { ErrorEnvelope } from './error-envelope.js';

/** The field of `_meta` that holds the envelope of a tool whose output a contract fixes. */
const META_FIELD = 'pith/envelope';
/** Further refs are counted in a warning. */
const MAX_REFS = 100;
const MAX_WARNINGS = 20;

/** The facts about a result that its envelope adds. */
interface EnvelopeFacts {
  readonly status: 'success' | 'error' | 'pending';
  readonly refs: readonly object[];
  /** Sentences: parts that were unavailable, a reduced result, a deprecated name. */
  readonly warnings: readonly string[];
}

/** A result as it is sent: its structured form, and fields to add to its `_meta`. */
export interface Wrapped {
  readonly structured: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Where and how a result is sent. */
interface Sending {
  readonly call: Call;
  /** Undefined if the call names no tool of this server. */
  readonly tool: AnyTool | undefined;
  readonly surface: Surface;
  /** Sentences about the texts in the result. Default: none. */
  readonly notes?: readonly string[];
}

const reducedSchema = z.object({ limit_reason: z.enum(LIMIT_REASONS) });

/** Says what limit reduced a result. */
export const REDUCED: Readonly<Record<LimitReason, string | null>> = {
  none: null,
  page_size: 'There are more results than this page shows.',
  token_cap: 'The result was shortened to fit its token limit.',
  byte_cap: 'The result was shortened to fit its size limit.',
};

const sentRef = ({ type, id }: Ref): object => (type === 'artifact' ? { type, sha256: id } : { type, id });

/** Warns of a tool that keeps an older contract; its description begins with the tool to prefer. */
function deprecation({ name, description }: AnyTool, { call, surface }: Sending): string {
  const adapt = textAdapterFor(call.caller, surface);
  const advice = adapt(description.split(/(?<=\.)\s/, 1).join(''), true);
  return `${name} is deprecated. ${advice}`.trim();
}

function commonWarnings(sending: Sending): string[] {
  const { call, tool, notes = [] } = sending;
  return [
    ...call.trace.warnings,
    ...notes,
    ...(tool && isLegacy(tool) ? [deprecation(tool, sending)] : []),
    ...call.trace.degraded.map((part) => `Unavailable: ${part}. The result may be less complete.`),
  ];
}

function put(value: object, { status, refs, warnings }: EnvelopeFacts, { call, tool }: Sending): Wrapped {
  const facts = { refs, warnings: warnings.slice(0, MAX_WARNINGS), tool_call_id: call.id };
  if (tool && hasFixedOutput(tool)) {
    const structured = 'data' in value ? value.data : value;
    return { structured, meta: { [META_FIELD]: { status, ...facts } } };
  }
  return { structured: { status, ...value, ...facts }, meta: {} };
}

/** Wraps the output of a tool. @param cutBy  the limit that reduced it, for outputs without a field for it */
export function wrapOutput(
  output: unknown,
  cutBy: LimitReason,
  sending: Sending & { readonly tool: AnyTool },
): Wrapped {
  const all = collectRefs(sending.call, sending.tool, output);
  const reduced = REDUCED[reducedSchema.safeParse(output).data?.limit_reason ?? cutBy];
  const omitted = all.length - MAX_REFS;
  const warnings = [
    ...commonWarnings(sending),
    ...(reduced === null ? [] : [reduced]),
    ...(omitted > 0 ? [`${omitted} further refs are not listed.`] : []),
  ];
  const refs = all.slice(0, MAX_REFS).map(sentRef);
  return put({ data: output }, { status: 'success', refs, warnings }, sending);
}

/** Wraps a failure. A call that waits for an approval is pending. @param isShort  leaves out warnings */
export function wrapFailure(failure: ErrorEnvelope, sending: Sending, isShort: boolean): Wrapped {
  const status = isWaiting({ reason: String(failure.error.details['reason']) }) ? 'pending' : 'error';
  const warnings = isShort ? [] : commonWarnings(sending);
  return put(failure, { status, refs: [], warnings }, sending);
}
