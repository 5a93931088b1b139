import { refuseGuests, removeOwn } from './qdrant-guests.js';

/**
 * Environment variables with the URLs of engines: set by `npm run services`, by `.ci/run`, or by hand for a real
 * server.
 */
const VARIABLES = {
  qdrant: 'QDRANT_URL',
  neo4j: 'NEO4J_URL',
  redis: 'REDIS_URL',
  postgres: 'POSTGRES_URL',
  onnx: 'ONNX_MODELS',
  generators: 'SITE_GENERATORS',
} as const;

export type EngineName = keyof typeof VARIABLES;

/** URLs of engines; null for missing ones. */
export function engineUrl(engine: EngineName): string | null {
  return process.env[VARIABLES[engine]] ?? null;
}

/** Isolates a suite from other data in Qdrant. */
function asGuest(url: string, tests: () => void): () => void {
  return () => {
    beforeAll(() => refuseGuests(url));
    afterAll(() => removeOwn(url));
    tests();
  };
}

/**
 * Tests that need engines. They are skipped, with the name of the variable, if an engine is missing; `.ci/run` allows
 * no skips.
 */
export function describeEngines(engines: readonly EngineName[], title: string, tests: () => void): void {
  const missing = engines.filter((engine) => engineUrl(engine) === null);
  const qdrant = engines.includes('qdrant') ? engineUrl('qdrant') : null;
  if (missing.length === 0) describe(title, qdrant === null ? tests : asGuest(qdrant, tests));
  else describe.skip(`${title} (set ${missing.map((engine) => VARIABLES[engine]).join(', ')})`, tests);
}
