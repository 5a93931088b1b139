import type { SchemaProblem } from '../../src/work/schemas/checking/schema-checker.port.js';
import { RegisteredSchemasService } from '../../src/work/schemas/registered-schemas.service.js';
import type { SchemaRef } from '../../src/work/schemas/schema-store.port.js';

/** Knows one schema, and finds these problems with every value. */
export function registeredSchemas(
  known: SchemaRef | null,
  problems: readonly SchemaProblem[] = [],
): RegisteredSchemasService {
  const facts = { hash: '', text: '{}', description: '', principal: 'ann', registeredAt: 0 };
  return new RegisteredSchemasService(
    {
      find: async (_, name, version) =>
        known?.name === name && (version ?? known.version) === known.version ? { ...known, ...facts } : null,
      add: async () => false,
      list: async () => [],
      close: async () => undefined,
    },
    { problemsOf: async () => [...problems], close: async () => undefined },
  );
}
