import { refuseGuests, removeOwn } from './qdrant-guests.js';

/** What an engine is found by: set by `npm run services`, by `.ci/run`, or by whoever has a real one. */
const VARIABLES = {
  qdrant: 'QDRANT_URL',
  neo4j: 'NEO4J_URL',
  redis: 'REDIS_URL',
  onnx: 'ONNX_MODELS',
} as const;

export type EngineName = keyof typeof VARIABLES;

/** Where engines are; null for those that are not there. */
export function engineUrl(engine: EngineName): string | null {
  return process.env[VARIABLES[engine]] ?? null;
}

/** Keeps a suite away from what others have in Qdrant. */
function asGuest(url: string, tests: () => void): () => void {
  return () => {
    beforeAll(() => refuseGuests(url));
    afterAll(() => removeOwn(url));
    tests();
  };
}

/** Tests that need engines: skipped by name where one of them is not there; `.ci/run` suffers no skip. */
export function describeEngines(engines: readonly EngineName[], title: string, tests: () => void): void {
  const missing = engines.filter((engine) => engineUrl(engine) === null);
  const qdrant = engines.includes('qdrant') ? engineUrl('qdrant') : null;
  if (missing.length === 0) describe(title, qdrant === null ? tests : asGuest(qdrant, tests));
  else describe.skip(`${title} (set ${missing.map((engine) => VARIABLES[engine]).join(', ')})`, tests);
}
