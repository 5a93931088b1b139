import { z } from 'zod';
import { withKnownNames } from '../text/nearest-name.js';

/** A problem with the value at a path of a file, or of the arguments of a call. */
export interface FileProblem {
  readonly path: readonly PropertyKey[];
  /** Without a full stop. */
  readonly message: string;
}

/** A parsed file, or arguments of a call, that do not fit their schema. */
export interface UnfitValue {
  readonly schema: z.ZodType;
  readonly value: unknown;
  /** True if messages may not quote values. */
  readonly isPrivate?: boolean;
}

type Issue = z.core.$ZodIssue;

/** Values below these fields may be secrets, so messages do not quote them. */
const PRIVATE = ['keys', 'env', 'headers', 'args', 'url', 'command'];
/** Longest quoted value (characters). */
const MAX_QUOTED = 60;

/** Unknown fields of one object that are reported. A call can have a hundred thousand. */
const MAX_UNKNOWN = 100;

/** Types of YAML values in the words of people who write a file. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of fields',
  record: 'a map of names',
};

/** The value at a path; undefined if there is none. */
const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((found, key) => Object(found)[key], value);

/** A value for messages: its type, or the value itself if it is no secret. */
function foundText(value: unknown, path: readonly PropertyKey[], isPrivate: boolean): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const isSecret = path.some((key) => PRIVATE.includes(String(key)));
  if (isSecret || (isPrivate && typeof value === 'string')) return TYPE_WORDS[typeof value] ?? typeof value;
  const text = JSON.stringify(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

const nodeSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
});

const jsonSchemaOf = (schema: z.ZodType): unknown =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** The names of the fields that a JSON schema allows at a path. */
function fieldsAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const inner = path.reduce<unknown>((node, key) => {
    const { properties = {}, additionalProperties, items } = nodeSchema.parse(Object(node));
    if (typeof key === 'number') return items;
    return properties[String(key)] ?? additionalProperties;
  }, schema);
  const { properties = {} } = nodeSchema.parse(Object(inner));
  return Object.keys(properties).filter((name) => !name.startsWith('$'));
}

/** Where the fields that are unknown at a path of a tool's arguments belong: one level below it, or at the top. */
function placesOf(schema: unknown, path: readonly PropertyKey[]): ReadonlyMap<string, string> {
  const inside = fieldsAt(schema, path).flatMap((name) => {
    const at = [...path, name];
    return fieldsAt(schema, at).map((field) => [field, [...at, field].map(String).join('.')] as const);
  });
  const top = fieldsAt(schema, []).map((field) => [field, `${field} at the top`] as const);
  return new Map([...top, ...inside]);
}

function sizeText(limit: number | bigint, origin: string): string {
  if (origin === 'string') return `${limit} characters`;
  return origin === 'array' ? `${limit} entries` : String(limit);
}

/** The expected value in words; null if the message of the issue says it, as those of our own checks do. */
function expectedText(issue: Issue): string | null {
  const { code } = issue;
  if (code === 'invalid_type') return TYPE_WORDS[issue.expected] ?? issue.expected;
  if (code === 'invalid_value') return issue.values.map(String).join(', ');
  if (code === 'too_big') return `at most ${sizeText(issue.maximum, issue.origin)}`;
  if (code === 'too_small') return `at least ${sizeText(issue.minimum, issue.origin)}`;
  if (code === 'invalid_format' && issue.format === 'url')
    return 'a URL that begins with http:// or https://';
  return null;
}

/** A message that the schema defines itself, such as that for an empty list of keys. */
const isOwnMessage = ({ code, message }: Issue): boolean =>
  !['invalid_type', 'invalid_value'].includes(code) && !/^(?:Invalid|Too (?:big|small))\b/.test(message);

function messageOf(issue: Issue, { value, isPrivate = false }: UnfitValue): string {
  const expected = isOwnMessage(issue) ? null : expectedText(issue);
  if (expected === null) return issue.message;
  const found = valueAt(value, issue.path);
  if (found === undefined) return `this field is missing. Expected: ${expected}`;
  if (issue.code === 'invalid_value' && issue.values.length > 1) {
    const known = issue.values.map(String);
    const statement = `found ${foundText(found, issue.path, isPrivate)}`;
    return withKnownNames(statement, String(found), { whose: 'Expected one of', known });
  }
  return `found ${foundText(found, issue.path, isPrivate)}, expected ${expected}`;
}

/** A value of the wrong type has no further problem: the library compares the length of a text with that of a list. */
function withoutConsequences(issues: readonly Issue[]): readonly Issue[] {
  const keyOf = ({ path }: Issue): string => JSON.stringify(path);
  const unfit = new Set(issues.filter(({ code }) => code === 'invalid_type').map(keyOf));
  return issues.filter((issue) => issue.code === 'invalid_type' || !unfit.has(keyOf(issue)));
}

/** The problems behind the issues of a schema, in words. Of alternatives, the last is reported. */
export function problemsOf(issues: readonly Issue[], file: UnfitValue): FileProblem[] {
  return withoutConsequences(issues).flatMap((issue) => problemsBehind(issue, file));
}

function problemsBehind(issue: Issue, file: UnfitValue): FileProblem[] {
  const { path } = issue;
  const within = (issues: readonly Issue[]): FileProblem[] =>
    problemsOf(
      issues.map((each) => ({ ...each, path: [...path, ...each.path] })),
      file,
    );
  if (issue.code === 'invalid_key') return within(issue.issues);
  if (issue.code === 'invalid_union' && !isOwnMessage(issue)) return within(issue.errors.at(-1) ?? []);
  if (issue.code !== 'unrecognized_keys') return [{ path, message: messageOf(issue, file) }];
  const schema = jsonSchemaOf(file.schema);
  const known = { whose: 'Known fields', known: fieldsAt(schema, path) };
  const places = file.isPrivate ? placesOf(schema, path) : new Map<string, string>();
  return issue.keys.slice(0, MAX_UNKNOWN).map((key) => {
    const message = withKnownNames('this field is unknown', key, { ...known, place: places.get(key) });
    return { path: [...path, key], message };
  });
}
