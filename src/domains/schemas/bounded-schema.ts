import { InvalidArgumentError } from '../../core/errors.js';
import type { CheckedSchema } from '../../core/ports/work/schema-checker.port.js';
import { jsonArgument } from '../json-argument.js';

const MAX_NODES = 5_000;

function refused(reason: string, message: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason, hint });
}

function* nodesIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* nodesIn(part);
}

const REFERENCES = ['$ref', '$dynamicRef'] as const;

function checkReferences(node: object): void {
  for (const keyword of REFERENCES) {
    const target: unknown = Reflect.get(node, keyword);
    if (typeof target !== 'string' || target.startsWith('#')) continue;
    const hint = 'Copy what it refers to into $defs, and refer to "#/$defs/…".';
    throw refused('schema_refers_outside', `${keyword} may not refer to another document.`, hint);
  }
}

/**
 * Parses a schema and checks that it is small and refers to nothing outside itself.
 * @throws InvalidArgumentError `json_invalid`, `json_too_deep`, `schema_invalid`, `schema_too_large`, `schema_refers_outside`
 */
export function boundedSchema(text: string): CheckedSchema {
  const schema = jsonArgument(text, 'schema_json');
  if (typeof schema === 'boolean') return schema;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw refused('schema_invalid', 'A JSON Schema is an object, true or false.', 'Send such a schema.');
  let count = 0;
  for (const node of nodesIn(schema)) {
    if (++count > MAX_NODES) {
      const message = `A schema may have ${MAX_NODES} objects and lists.`;
      throw refused('schema_too_large', message, 'Split it, and register each part.');
    }
    checkReferences(node);
  }
  return schema as CheckedSchema;
}
