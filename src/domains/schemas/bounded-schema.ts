import { InvalidArgumentError } from '../../core/errors.js';
import type { CheckedSchema } from '../../core/ports/schema-checker.port.js';

const MAX_DEPTH = 32;
const MAX_NODES = 5_000;

function refused(reason: string, message: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason, hint });
}

/** Parses JSON that a caller sends as text. @param what  as messages name it @throws InvalidArgumentError `json_invalid` */
export function jsonOf(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refused('json_invalid', `${what} is not JSON: ${why}.`, `Send ${what} as JSON text.`);
  }
}

function* nodesIn(value: unknown, depth = 0): Generator<{ readonly node: object; readonly depth: number }> {
  if (typeof value !== 'object' || value === null) return;
  yield { node: value, depth };
  for (const part of Object.values(value)) yield* nodesIn(part, depth + 1);
}

const REFERENCES = ['$ref', '$dynamicRef'] as const;

function checkReferences(node: object): void {
  for (const keyword of REFERENCES) {
    const target: unknown = Reflect.get(node, keyword);
    if (typeof target !== 'string' || target.startsWith('#')) continue;
    throw refused(
      'schema_refers_outside',
      `${keyword} may not refer to another document: ${target.slice(0, 100)}.`,
      'Copy what it refers to into $defs, and refer to "#/$defs/…".',
    );
  }
}

/**
 * Parses a schema and checks that it is small and refers to nothing outside itself.
 * @throws InvalidArgumentError `json_invalid`, `schema_invalid`, `schema_too_large`, `schema_refers_outside`
 */
export function boundedSchema(text: string): CheckedSchema {
  const schema = jsonOf('schema_json', text);
  if (typeof schema === 'boolean') return schema;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw refused('schema_invalid', 'A JSON Schema is an object, true or false.', 'Send such a schema.');
  let count = 0;
  for (const { node, depth } of nodesIn(schema)) {
    count++;
    if (depth > MAX_DEPTH || count > MAX_NODES) {
      throw refused(
        'schema_too_large',
        `A schema may have ${MAX_NODES} objects and lists, nested ${MAX_DEPTH} deep.`,
        'Split it, and register each part.',
      );
    }
    checkReferences(node);
  }
  return schema as CheckedSchema;
}
