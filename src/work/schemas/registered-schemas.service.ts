import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { clipText } from '../../text/span.js';
import { projectOf } from '../work-space.js';
import { type CheckedSchema, SchemaChecker, type SchemaProblem } from './checking/schema-checker.js';
import { type SchemaRef, SchemaStore, type SchemaVersion } from './schema-store.js';

/** Which version of a schema; null for the latest. */
export interface WantedSchema {
  readonly name: string;
  readonly version: number | null;
}

/** A value that has to fit a schema. */
export interface CheckedValue {
  /** As messages name it. */
  readonly what: string;
  /** JSON. */
  readonly text: string;
  /** Tells the caller what to do if the value does not fit. */
  readonly advice: string;
}

/** Limits of a refusal: problems, UTF-16 units of a text, UTF-8 bytes of all problems. */
const MAX_SHOWN = 20;
const MAX_TEXT = 200;
const MAX_SHOWN_BYTES = 3_000;

/** Finds schemas, and refuses values that do not fit one. */
@Injectable()
export class RegisteredSchemasService {
  constructor(
    private readonly store: SchemaStore,
    private readonly checker: SchemaChecker,
  ) {}

  /** @throws InvalidArgumentError `schema_not_found` */
  async find(call: Call, { name, version }: WantedSchema): Promise<SchemaVersion> {
    const found = await this.store.find(projectOf(call), name, version);
    if (found) return found;
    const which = version === null ? 'no schema' : `no version ${version} of a schema`;
    throw new InvalidArgumentError(`There is ${which} of the name ${name}.`, {
      reason: 'schema_not_found',
      hint: 'Call schema.list for the names and their latest versions.',
    });
  }

  /**
   * @returns the schema that the value fits
   * @throws InvalidArgumentError `schema_violation`, `schema_not_found`, `schema_too_costly`
   */
  async check(call: Call, wanted: WantedSchema, value: CheckedValue): Promise<SchemaRef> {
    const { name, version, text } = await this.find(call, wanted);
    const problems = await this.checker.problemsOf(
      call.caller.principal,
      JSON.parse(text) as CheckedSchema,
      JSON.parse(value.text) as unknown,
    );
    if (problems.length > 0) throw violation({ name, version }, value, problems);
    return { name, version };
  }
}

function shownProblems(problems: readonly SchemaProblem[]): SchemaProblem[] {
  let left = MAX_SHOWN_BYTES;
  return problems
    .slice(0, MAX_SHOWN)
    .map(({ path, message }) => ({ path: clipText(path, MAX_TEXT), message: clipText(message, MAX_TEXT) }))
    .filter((problem) => (left -= Buffer.byteLength(JSON.stringify(problem))) >= 0);
}

function violation(
  { name, version }: SchemaRef,
  { what, advice }: CheckedValue,
  problems: readonly SchemaProblem[],
): InvalidArgumentError {
  const shown = shownProblems(problems);
  const [{ path, message } = { path: '', message: '' }] = shown;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  return new InvalidArgumentError(
    `${what} does not fit the schema ${name}, version ${version}: ${path || '(whole value)'} ${message}${more}.`,
    {
      reason: 'schema_violation',
      hint: `${advice} Nothing was stored. Call schema.get for the schema.`,
      details: { schema: { name, version }, problems: shown },
    },
  );
}
