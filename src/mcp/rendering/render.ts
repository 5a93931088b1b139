import { z } from 'zod';
import type { Call, Trace } from '../../core/call.js';
import { PithError } from '../../core/errors.js';
import { type Attachment, LIMIT_REASONS, type LimitReason } from '../../core/reply.js';
import type { TextFence } from '../../text/untrusted-text.js';
import type { AnyTool, ResourceLink } from '../define-tool.js';
import { textAdapterFor } from '../surface/adapt-text.js';
import type { Surface } from '../surface/surface.js';
import { FEEDBACK } from '../tool-class.js';
import { type CautiousText, cautiousText } from './cautious-text.js';
import { type ErrorEnvelope, errorLine, shortened, toEnvelope } from './error-envelope.js';
import { fencedCopy } from './fenced-copy.js';
import { REDUCED, wrapFailure, wrapOutput, type Wrapped } from './response-envelope.js';

/** Bytes added after rendering: our usage and, for 2026-era clients, the SDK's result type and server facts. */
export const WIRE_BYTES = 256;

/** While this number stays the same, output schemas only gain fields. */
const SCHEMA_VERSION = 1;

/** A tool result as it is sent. */
export interface ToolResult {
  readonly content: readonly (ReturnType<typeof text> | ReturnType<typeof toLink> | Attachment)[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
  readonly _meta: Readonly<Record<string, unknown>>;
}

const text = (value: string) => ({ type: 'text', text: value }) as const;

/** The envelope has the warnings of a call, if there is one. */
function resultMeta(
  { id, trace }: Call,
  { hasEnvelope }: Surface,
  notes: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const told = [...trace.warnings, ...notes];
  const warnings = !hasEnvelope && told.length > 0 ? { 'pith/warnings': told } : {};
  return { 'pith/tool_call_id': id, 'pith/schema_version': SCHEMA_VERSION, ...warnings };
}

function toLink({ uri, name, title, bytes, lastModified }: ResourceLink) {
  return {
    type: 'resource_link',
    uri,
    name,
    title,
    mimeType: 'text/plain',
    size: bytes,
    annotations: { audience: ['assistant'], priority: 0.1, lastModified },
  } as const;
}

/** A result without the response envelope. */
const bare = (structured: unknown): Wrapped => ({ structured, meta: {} });

const hintedSchema = z.looseObject({ hint: z.string() });

const answeredSchema = z.looseObject({ answerable: z.string(), hint: z.string().optional() });

/** Asks the caller of an answer if it helped, where questions are kept. Callers without the tool are not asked. */
function feedbackHint(output: unknown, { id, trace }: Call, { tools }: Surface): string {
  const isKept = tools.get(FEEDBACK)?.isOn === true && trace.corpus === null;
  const isAsked = isKept && answeredSchema.safeParse(output).success;
  return isAsked ? `If it does not help, call ${FEEDBACK} with question_id ${id}.` : '';
}

/** Adapts the output's `hint`, if it has one, to the caller. */
function withHint(output: unknown, call: Call, surface: Surface): unknown {
  const given = hintedSchema.safeParse(output).data?.hint;
  const hint = [given ?? '', feedbackHint(output, call, surface)].filter((part) => part !== '').join(' ');
  const adapted = hint === '' ? '' : textAdapterFor(call.caller, surface)(hint, true);
  if (given === undefined && adapted === '') return output;
  return Object.assign({}, output, { hint: adapted });
}

interface Texts extends Pick<Showing, 'tool' | 'surface'> {
  /** Puts an output into the response envelope, if there is one. */
  readonly wrap: (output: unknown, notes: readonly string[]) => Wrapped;
}

interface Showing {
  readonly tool: AnyTool;
  readonly surface: Surface;
  /** The limit that reduced the output, for outputs without a field for it. */
  readonly cutBy?: LimitReason;
  /** The ceiling that the complete output would exceed. Default: none. */
  readonly broken?: LimitReason | null;
  /** Sent after the text. Default: none. */
  readonly media?: readonly Attachment[];
}

/** The text of an output for the caller's host, with untrusted parts between marks. */
function textFor(call: Call, output: unknown, { tool: { rendering }, surface, wrap }: Texts): CautiousText {
  const whole = (fence: TextFence): string => rendering.full(output, fence);
  const asJson = (fence: TextFence): string => JSON.stringify(wrap(fencedCopy(output, fence), []).structured);
  if (surface.isStructured) {
    const { render } = call.caller.host;
    return cautiousText(call, (fence) => rendering[render](output, fence), whole);
  }
  return cautiousText(call, rendering.isContract ? whole : asJson);
}

/** Untrusted data in a result: of a provider, or of documents. */
function untrustedMeta({ rendering }: AnyTool, output: unknown, repositories: readonly string[]): object {
  if (rendering.provider) return { 'pith/untrusted': { provider: rendering.provider(output) } };
  return repositories.length > 0 ? { 'pith/untrusted': { repositories } } : {};
}

/** Says that the documents may have changed since they were indexed. Named corpora have indexes of their own. */
function outdatedNotes({ unreadSince, corpus }: Trace): string[] {
  if (unreadSince === null || corpus !== null) return [];
  return [
    `The documents could not be read and indexed since ${unreadSince}. This is from the index of before.`,
  ];
}

const limitedSchema = z.looseObject({ limit_reason: z.enum(LIMIT_REASONS) });

/** Says that an output is not complete, if its contract has no field that does. */
function reducedNotes(output: unknown, { tool, cutBy = 'none', broken = null }: Showing): string[] {
  const hasFields = cutBy !== 'none' || tool.rendering.isContract || limitedSchema.safeParse(output).success;
  const sentence = REDUCED[broken ?? 'none'];
  return hasFields || sentence === null ? [] : [sentence];
}

/** Renders the output of a tool for the caller's host. */
export function renderResult(call: Call, found: unknown, showing: Showing): ToolResult {
  const { tool, surface, cutBy = 'none', media = [] } = showing;
  const output = withHint(found, call, surface);
  const wrap = (data: unknown, notes: readonly string[]): Wrapped =>
    surface.hasEnvelope ? wrapOutput(data, cutBy, { call, tool, surface, notes }) : bare(data);
  const { text: shown, said, repositories, ...of } = textFor(call, output, { tool, surface, wrap });
  const facts = [...outdatedNotes(call.trace), ...reducedNotes(output, showing)];
  const notes = [...of.notes, ...facts];
  const { structured, meta } = wrap(output, notes);
  const { rendering } = tool;
  const { isContract = false } = rendering;
  const { degraded } = call.trace;
  // Outputs fixed by a contract have no field for degraded stages.
  const degradedMeta = isContract && degraded.length > 0 ? { 'pith/degraded': [...degraded] } : {};
  const untrusted = untrustedMeta(tool, output, repositories);
  const _meta = { ...resultMeta(call, surface, notes), ...degradedMeta, ...untrusted, ...meta };
  // A text of its own, because clients of a contract parse the first one. Of the cautions, they are told of marks only.
  const told = [...(!isContract || repositories.length > 0 ? said : []), ...facts];
  const more = told.length > 0 ? [text(told.join('\n'))] : [];
  if (!surface.isStructured) return { content: [text(shown), ...more, ...media], _meta };
  const { resourceLinks } = call.caller.host;
  const keptAt = new Date(call.now()).toISOString();
  const links = resourceLinks && rendering.links ? rendering.links(output, keptAt).map(toLink) : [];
  const content = [text(shown), ...more, ...links, ...media];
  return { content, structuredContent: structured, _meta };
}

/** Lengths of a failure's message and hint, tried in turn; the last fits the lowest possible ceiling in any script. */
const SHORTER = [160, 80, 30];

interface Failing extends Pick<Showing, 'surface'> {
  /** Undefined for an unknown tool. */
  readonly tool: AnyTool | undefined;
}

/** Renders a failure for the caller's host. */
export function renderError(call: Call, error: unknown, { surface, tool }: Failing): ToolResult {
  const whole = toEnvelope(error, call, textAdapterFor(call.caller, surface));
  const isPlain = error instanceof PithError && error.isPlain;
  const build = (envelope: ErrorEnvelope): ToolResult => {
    const { structured, meta } = surface.hasEnvelope
      ? wrapFailure(envelope, { call, tool, surface }, envelope !== whole)
      : bare(envelope);
    const _meta = { ...resultMeta(call, surface), ...meta };
    // Clients of a contract show its message text, with and without structured output.
    if (!surface.isStructured && !isPlain)
      return { content: [text(JSON.stringify(structured))], isError: true, _meta };
    const content = [text(errorLine(envelope, isPlain))];
    const sent = surface.isStructured ? { structuredContent: structured } : {};
    return { content, ...sent, isError: true, _meta };
  };
  const fits = (result: ToolResult): boolean =>
    Buffer.byteLength(JSON.stringify(result)) + WIRE_BYTES <= surface.maxResponseBytes;
  return SHORTER.reduce(
    (result, chars) => (fits(result) ? result : build(shortened(whole, chars))),
    build(whole),
  );
}
