import { createContext, Script } from 'node:vm';
import type { JsonSchema } from '../../mcp/schema.js';

/** Returns the first problem of a value, or null if it is valid. */
export type SchemaCheck = (value: unknown) => string | null;

/** Makes the check of a schema. @throws Error for a schema that can't be used */
export type SchemaCompiler = (schema: JsonSchema) => SchemaCheck;

/** Longest problem, in characters. It may quote the value. */
const MAX_PROBLEM = 200;

/** The messages of the library for common mistakes, in plain words. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/^Instance does not have required property "([^"]*)"\.$/, 'the field $1 is missing'],
  [/^False boolean schema\.$/, 'this field is unknown'],
  [/^Instance type "([^"]*)" is invalid\. Expected "([^"]*)"\.$/, 'found $1, expected $2'],
  [/\.$/, ''],
];

/** The innermost of the problems in a message such as `#: Property "a" does not match schema.; #/a: …`. */
function plainProblem(message: string): string {
  const last = message.split(/; (?=#)/).at(-1) ?? message;
  const [, path = '', problem = last] = /^#([^:\s]*): (.*)$/s.exec(last) ?? [];
  const plain = PLAIN.reduce((text, [pattern, words]) => text.replace(pattern, words), problem);
  const field = path.split('/').filter(Boolean).join('.');
  return field === '' ? plain : `${field}: ${plain}`;
}

/** Longest time of one check (ms). Patterns and references of a schema can take exponential time. */
const MAX_CHECK_MS = 250;
const RUN = new Script('run()');

/** Makes a function that runs another one and ends it after `MAX_CHECK_MS`. Its context isolates nothing. */
function timeLimit(): (run: () => void) => void {
  const globals = { run: (): void => undefined };
  const context = createContext(globals);
  return (run) => {
    globals.run = run;
    RUN.runInContext(context, { timeout: MAX_CHECK_MS });
  };
}

/**
 * Makes checks from JSON schemas of providers (drafts 6 and 7, 2019-09 and 2020-12). The library interprets schemas and
 * never loads anything; it is loaded only when there are providers.
 */
export async function schemaCompiler(): Promise<SchemaCompiler> {
  const { CfWorkerJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/cf-worker');
  const library = new CfWorkerJsonSchemaValidator();
  const withinTime = timeLimit();
  return (schema) => {
    const validate = library.getValidator(schema);
    return (value) => {
      try {
        let problem: string | null = null;
        withinTime(() => {
          const { valid, errorMessage = 'not valid' } = validate(value);
          if (!valid) problem = plainProblem(errorMessage).slice(0, MAX_PROBLEM);
        });
        return problem;
      } catch (error) {
        // The schema refers to other documents, or to itself without end, or takes too long.
        return `the schema can't be applied: ${String(error).slice(0, MAX_PROBLEM)}`;
      }
    };
  };
}
