import { BackendUnavailableError, InvalidArgumentError } from '../../../core/errors.js';
import { RequestThread } from '../../../core/threads/request-thread.js';
import { canonicalJson } from '../../../text/canonical-json.js';

export interface SchemaTask {
  readonly schema: CheckedSchema;
  readonly value: unknown;
}

/** `invalid` says why the schema can't be used. */
export type SchemaAnswer = { readonly problems: readonly SchemaProblem[] } | { readonly invalid: string };

/** A place in a value that does not fit a schema. */
export interface SchemaProblem {
  /** JSON Pointer (RFC 6901); empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

/** A JSON Schema: an object, or true or false. */
export type CheckedSchema = Readonly<Record<string, unknown>> | boolean;

/** Longest time of one check (ms). A pattern or a reference can make a check take years. */
const MAX_CHECK_MS = 1_000;

/** Time to start the thread, which does not count as time of a check (ms). */
const START_MS = 5_000;
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

function tooCostly(): InvalidArgumentError {
  return new InvalidArgumentError('The check was ended: it took more than a second, or more than 64 MB.', {
    reason: 'schema_too_costly',
    hint: 'Simplify the patterns and references of the schema, or send a smaller value.',
  });
}

function notStarted(): BackendUnavailableError {
  return new BackendUnavailableError('The thread that checks schemas did not start.', {
    reason: 'schema_checker_lost',
    hint: 'Try again; the thread restarts.',
  });
}

function invalidSchema(why: string): InvalidArgumentError {
  return new InvalidArgumentError(`The schema can't be used: ${why}.`, {
    reason: 'schema_invalid',
    hint: 'Send a JSON Schema of draft 2020-12 that refers to nothing outside itself.',
  });
}

/** Applies JSON Schemas of draft 2020-12. `format` is an annotation, as the draft has it. */
export class SchemaChecker {
  private readonly thread = new RequestThread<SchemaAnswer>({
    script: 'schema-worker.cjs',
    data: {},
    memory: MEMORY,
    first: { schema: true, value: null },
    startMs: START_MS,
    limitMs: MAX_CHECK_MS,
    notStarted,
  });

  /**
   * The first 100 problems of a value, in the order of the schema. Callers take turns.
   * @param caller  the principal that asks
   * @throws InvalidArgumentError `schema_invalid` for a schema that can't be used, `schema_too_costly` if the check takes
   *   longer than `MAX_CHECK_MS` or too much memory
   */
  async problemsOf(caller: string, schema: CheckedSchema, value: unknown): Promise<SchemaProblem[]> {
    const answer = await this.thread.ask(caller, { schema, value });
    if (answer === null) throw tooCostly();
    if ('invalid' in answer) throw invalidSchema(answer.invalid);
    return [...answer.problems];
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

type Keywords = Readonly<Record<string, unknown>>;
/** The values of a keyword in two versions of a schema. */
interface Change {
  readonly before: unknown;
  readonly after: unknown;
  /** JSON Pointer of the schema that holds the keyword. */
  readonly path: string;
}

/** Keywords that never refuse a value. */
const ANNOTATIONS = new Set([
  ...['$id', '$schema', '$comment', '$anchor', '$defs', 'definitions', 'title', 'description', 'default'],
  ...['examples', 'deprecated', 'readOnly', 'writeOnly', 'format', 'contentEncoding', 'contentMediaType'],
  'contentSchema',
]);
const REFERRING = new Set(['$ref', '$dynamicRef', '$anchor', '$dynamicAnchor']);
const LOWEST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const HIGHEST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Compared together: what one does not name, another decides about. */
const OBJECT = ['properties', 'patternProperties', 'additionalProperties'];

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
const isKeywords = (value: unknown): value is Keywords =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function typesOf(value: unknown): ReadonlySet<unknown> {
  const types = listOf(value);
  return new Set(types.includes('number') ? [...types, 'integer'] : types);
}

function includesAll(all: readonly unknown[], some: readonly unknown[]): boolean {
  const known = new Set(all.map(canonicalJson));
  return some.every((one) => known.has(canonicalJson(one)));
}

/** True if a keyword refuses nothing that it allowed before. @param after  not undefined */
function isWider(keyword: string, { before, after }: Change): boolean {
  if (keyword === 'uniqueItems' && after === false) return true;
  if (before === undefined) return false;
  if (LOWEST.has(keyword)) return Number(after) <= Number(before);
  if (HIGHEST.has(keyword)) return Number(after) >= Number(before);
  if (keyword === 'type') return [...typesOf(before)].every((type) => typesOf(after).has(type));
  if (keyword === 'enum' || keyword === 'anyOf') return includesAll(listOf(after), listOf(before));
  return keyword === 'required' && includesAll(listOf(before), listOf(after));
}

function narrowedObject(before: Keywords, after: Keywords, path: string): string[] {
  // A property can fit several patterns, so with patterns only equal keywords are known to be as wide.
  const changed = OBJECT.filter((keyword) => !isEqual(before[keyword], after[keyword]));
  if ('patternProperties' in before || 'patternProperties' in after)
    return changed.map((keyword) => `${path}/${keyword}`);
  const [old, now] = [before, after].map(({ properties }) => (isKeywords(properties) ? properties : {}));
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].sort();
  const rest = {
    before: before['additionalProperties'] ?? true,
    after: after['additionalProperties'] ?? true,
  };
  const narrowed = names.flatMap((name) =>
    narrowedSchema({
      before: Object.hasOwn(old ?? {}, name) ? old?.[name] : rest.before,
      after: Object.hasOwn(now ?? {}, name) ? now?.[name] : rest.after,
      path: `${path}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    }),
  );
  return [...narrowed, ...narrowedSchema({ ...rest, path: `${path}/additionalProperties` })];
}

function narrowedKeyword(keyword: string, change: Change): string[] {
  const { before, after, path } = change;
  // Without minContains, one item has to fit.
  const isRemoved = after === undefined && keyword !== 'minContains';
  if (isRemoved || isEqual(before, after)) return [];
  const here = `${path}/${keyword}`;
  if (keyword === 'items') return narrowedSchema({ before: before ?? true, after, path: here });
  return isWider(keyword, change) ? [] : [here];
}

/** Keywords whose meaning depends on those beside them. With one, only an equal schema is known to be as wide. */
const ENTANGLED = ['prefixItems', 'unevaluatedItems', 'unevaluatedProperties'];

const isEntangled = (schema: Keywords): boolean =>
  ENTANGLED.some((keyword) => Object.hasOwn(schema, keyword));

function narrowedSchema({ before, after, path }: Change): string[] {
  if (isEqual(before, after) || after === true || before === false) return [];
  if (!isKeywords(after)) return [path];
  const old = isKeywords(before) ? before : {};
  if (isEntangled(old) || isEntangled(after)) return [path];
  const keywords = [...new Set([...Object.keys(old), ...Object.keys(after)])].sort();
  const plain = keywords.filter((keyword) => !ANNOTATIONS.has(keyword) && !OBJECT.includes(keyword));
  return [
    ...narrowedObject(old, after, path),
    ...plain.flatMap((keyword) =>
      narrowedKeyword(keyword, { before: old[keyword], after: after[keyword], path }),
    ),
  ];
}

/**
 * The places (JSON Pointers, `#…`) where a schema may refuse a value that an earlier version accepted; none if it accepts
 * all of them. What can't be decided by comparing keywords counts as narrower: a changed pattern, a changed `$ref`.
 */
export function narrowings(before: CheckedSchema, after: CheckedSchema): string[] {
  if (isEqual(before, after)) return [];
  const both = [before, after].filter(isKeywords);
  const targets = both.flatMap(targetsIn);
  // A reference that did not change may lead to something that did.
  if (targets.some((target) => !target.startsWith('#/$defs/'))) return ['#'];
  if (targets.length > 0 && !isEqual(definitionsOf(before), definitionsOf(after))) return ['#/$defs'];
  return narrowedSchema({ before, after, path: '#' });
}

const definitionsOf = (schema: CheckedSchema): unknown => (isKeywords(schema) ? (schema['$defs'] ?? {}) : {});

/** The targets of all references; an inner `$id` and anchors count as references to elsewhere. */
function targetsIn(schema: Keywords): string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (typeof value === 'string' && REFERRING.has(keyword)) return [value];
    if (typeof value !== 'object' || value === null) return [];
    const inner = Array.isArray(value) ? value.filter(isKeywords) : [value as Keywords];
    return inner.flatMap((part) => [...targetsIn(part), ...('$id' in part ? [''] : [])]);
  });
}
