import { type ExecutionContext, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Call } from '../../core/call.js';
import { CONTROL_MESSAGE, hasNoControl } from '../../text/control-characters.js';
import { exceededBound } from '../../text/nesting.js';
import { findToolCall } from '../calls.js';
import { type AnyTool, isProvided } from '../define-tool.js';
import { invalidInput } from '../invalid-input.js';
import type { CallStage } from './call-stages.js';

/** The parts of a JSON Schema that decide about the form of a value. */
interface Node {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Node;
}

const schemas = new WeakMap<z.ZodType, Node>();

function inputSchemaNode(input: z.ZodType): Node {
  const known = schemas.get(input);
  if (known) return known;
  // The library's type allows any schema; ours use the keywords above.
  const made = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Node;
  schemas.set(input, made);
  return made;
}

const alternatives = (node: Node): readonly Node[] => node.anyOf?.flatMap(alternatives) ?? [node];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** True if a schema takes values of a type, whatever their size. A schema without a type takes all. */
function takes(node: Node, type: string): boolean {
  return alternatives(node).some(({ type: own = type }) => {
    const types = [own].flat();
    return types.includes(type) || (type === 'number' && types.includes('integer'));
  });
}

/** The value of JSON text; undefined if it is none, or more than a message may contain. */
function jsonOf(text: string): unknown {
  if (exceededBound(text) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value that a text represents where the schema takes no text; undefined if that is not certain. */
function readText(node: Node, text: string): unknown {
  const value = jsonOf(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text);
  const isFinite = typeof value !== 'number' || Number.isFinite(value);
  if (isFinite && takes(node, typeOf(value))) return fit(node, value);
  // A list that is not complete is no text for a list.
  return text.trim() === '' || text.trimStart().startsWith('[') ? undefined : listOfOne(node, text);
}

function listOfOne(node: Node, value: unknown): unknown {
  const items = alternatives(node).find(({ items }) => items)?.items;
  if (!items) return undefined;
  const one = fit(items, value);
  return takes(items, typeOf(one)) ? [one] : undefined;
}

function fitObject(node: Node, object: object): object {
  const { properties = {}, required = [], additionalProperties } = node;
  const fields = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!field) return value === null && additionalProperties !== false ? [] : [[name, value]];
    const isLeftOut = !required.includes(name) && !takes(field, 'null') && isNull(field, value);
    return isLeftOut ? [] : [[name, fit(field, value)]];
  });
  return Object.fromEntries(fields);
}

/** True for null, and for its text where no text is allowed. */
const isNull = (node: Node, value: unknown): boolean =>
  value === null || (value === 'null' && !takes(node, 'string'));

/** The value in the form that a schema takes, if it has only one meaning; otherwise the value itself. */
function fit(node: Node, value: unknown): unknown {
  const type = typeOf(value);
  if (value === null || value === undefined) return value;
  if (!takes(node, type))
    return (typeof value === 'string' ? readText(node, value) : listOfOne(node, value)) ?? value;
  const [own, ...others] = alternatives(node).filter((each) => takes(each, type));
  if (!own || others.length > 0) return value;
  if (type === 'object') return fitObject(own, Object(value));
  return Array.isArray(value) ? value.map((item) => fit(own.items ?? {}, item)) : value;
}

/** The only field of a tool whose object has a field of this name; undefined if there is none, or several. */
function placeOf({ properties = {} }: Node, name: string): string | undefined {
  const [place, ...others] = Object.entries(properties).filter(([, field]) =>
    Object.hasOwn(field.properties ?? {}, name),
  );
  return others.length === 0 ? place?.[0] : undefined;
}

/** Moves fields that belong into an object, such as `options`, there. A field that is in both places stays. */
function withFieldsInPlace(node: Node, args: object): object {
  const { properties = {}, additionalProperties } = node;
  const placed = new Map<string, unknown>(Object.entries(args));
  if (additionalProperties !== false) return args;
  for (const [name, value] of Object.entries(args)) {
    const place = Object.hasOwn(properties, name) ? undefined : placeOf(node, name);
    const inside = place === undefined ? null : (placed.get(place) ?? {});
    if (place === undefined || typeOf(inside) !== 'object' || Object.hasOwn(Object(inside), name)) continue;
    placed.delete(name);
    placed.set(place, { ...Object(inside), [name]: value });
  }
  return Object.fromEntries(placed);
}

/**
 * The arguments of a call in the form that the tool's schema takes. Agent frameworks send null for fields that they leave
 * out, and numbers and lists as text. Null in an optional field is left out; a text becomes the number, truth value, list
 * or object that it is; a single value becomes a list; a field of `options` at the top level is moved into it. A value
 * with more than one meaning is unchanged, and is refused. All checks, the ledger and the tool read the same values.
 * Arguments for providers are unchanged.
 */
export function fitArguments(definition: AnyTool, args: unknown): unknown {
  if (isProvided(definition)) return args;
  const schema = inputSchemaNode(definition.input);
  const fitting = fit(schema, args);
  return typeOf(fitting) === 'object' ? fit(schema, withFieldsInPlace(schema, Object(fitting))) : fitting;
}

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
    const tool = findToolCall(context);
    if (!tool) return;
    const { call, definition } = tool;
    const args = context.getArgs<unknown[]>();
    // Nest passes this array to the handler.
    args[0] = parseArguments(definition, args[0]);
    noteInput(call, args[0]);
  }
}
