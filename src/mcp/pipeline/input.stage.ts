import { type ExecutionContext, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Call } from '../../core/call.js';
import { CONTROL_MESSAGE, hasNoControl } from '../../text/control-characters.js';
import { toolCallOf } from '../calls.js';
import { type AnyTool, isProvided } from '../define-tool.js';
import { invalidInput } from '../invalid-input.js';
import type { CallStage } from './call-stages.js';

const inputSchema = z.record(z.string(), z.unknown());

/** Records the input for diagnostics. Only operators can request the detailed debug output. */
function noteInput({ caller, decisions, trace }: Call, data: unknown): void {
  decisions.decide({ input: inputSchema.safeParse(data).data ?? null });
  if (!caller.isOperator || decisions.input?.['diagnostic_debug'] !== true) return;
  trace.isDebug = true;
  trace.isKept = trace.isRetrieval;
}

/** Free text, which is often pasted and may contain control characters. */
const FREE_TEXT = ['query', 'question', 'keywords', 'parts', 'text'];
/** JSON, whose texts and line breaks are free. */
const JSON_FIELDS = [
  'config',
  'result',
  'error',
  'data',
  'state',
  'schema_json',
  'value_json',
  'settings_json',
];
/** Text of documents within other fields, with its line breaks. */
const QUOTE = 'quote';
/** Our own tokens. Their tools handle invalid ones, of any content, according to their contract. */
const TOKENS = ['cursor', 'passage_id', 'passage_ids'];
const NOT_CHECKED = new Set([...FREE_TEXT, ...JSON_FIELDS, ...TOKENS]);

type Path = readonly (string | number)[];

/** The path of the first string with a control character; null if there is none. */
function findControl(value: unknown, path: Path): Path | null {
  if (typeof value === 'string') return hasNoControl(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (key === QUOTE) continue;
    const found = findControl(item, [...path, key]);
    if (found) return found;
  }
  return null;
}

/**
 * A validation error for a control character in an id, filter or name; null if there is none. SQLite ends a text at
 * NUL, so an id that contains one would name something else.
 * @param args  as sent, before trimming
 * @param known  the tool's fields
 */
function controlProblem(args: unknown, known: readonly string[]): z.ZodError | null {
  const sent = Object.entries(args ?? {}).filter(([name]) => known.includes(name) && !NOT_CHECKED.has(name));
  const path = findControl(Object.fromEntries(sent), []);
  if (!path) return null;
  return new z.ZodError([{ code: 'custom', path: [...path], message: CONTROL_MESSAGE, input: undefined }]);
}

/** The arguments of a tool, with defaults. @throws PithError for arguments that its schema does not allow */
export function parseArguments(definition: AnyTool, args: unknown): unknown {
  const parsed = definition.input.safeParse(args ?? {});
  const problem =
    parsed.error ?? (isProvided(definition) ? null : controlProblem(args, Object.keys(parsed.data)));
  if (problem)
    throw (
      definition.refuse?.(problem, args) ??
      invalidInput(problem, { schema: definition.input, value: args ?? {} })
    );
  return parsed.data;
}

/** Validates a tool's arguments and passes on the parsed ones. */
@Injectable()
export class InputStage implements CallStage {
  pass(context: ExecutionContext): void {
    const tool = toolCallOf(context);
    if (!tool) return;
    const { call, definition } = tool;
    const args = context.getArgs<unknown[]>();
    // Nest passes this array to the handler.
    args[0] = parseArguments(definition, args[0]);
    noteInput(call, args[0]);
  }
}
