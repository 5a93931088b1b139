import { boltRefusal } from '../../support/bolt-refusal.js';
import { engineUrl } from '../../support/engine.js';
import { faultSuite } from '../../support/fault-suite.js';

const ANSWERS = /^answers$/;

faultSuite({
  engine: 'redis',
  title: 'Redis',
  url: engineUrl('redis') ?? 'redis://127.0.0.1',
  defaultPort: 6379,
  env: (url) => ({
    PITH_SCRATCH_ENGINE: 'redis',
    PITH_SCRATCH_KEY: 'a key for tests of more than 32 characters',
    PITH_REDIS_URL: url,
  }),
  refusal: () => '-WRONGPASS invalid username-password pair or user is disabled.\r\n',
  expected: {
    kb: /^answers without scratch$/,
    passages: /^(?:BACKEND_UNAVAILABLE|TIMEOUT) redis$/,
    graph: ANSWERS,
    docs: ANSWERS,
    legacy: ANSWERS,
    resources: ANSWERS,
  },
  timeoutMs: 400,
  mostConnections: 1,
});

const QDRANT_FAILS = /^(?:BACKEND_UNAVAILABLE|TIMEOUT) qdrant$/;
/** Every call needs the owner of the index, which is cached for a second after Qdrant last returned it. */
const MAY_ANSWER = /^(?:answers|(?:BACKEND_UNAVAILABLE|TIMEOUT) qdrant)$/;

faultSuite({
  engine: 'qdrant',
  title: 'Qdrant',
  url: engineUrl('qdrant') ?? 'http://127.0.0.1',
  defaultPort: 6333,
  env: (url) => ({ PITH_SECTION_ENGINE: 'qdrant', PITH_QDRANT_URL: url }),
  refusal: () => {
    const body = '{"status":{"error":"Invalid API key or JWT"},"time":0}';
    return `HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  },
  expected: {
    kb: QDRANT_FAILS,
    passages: MAY_ANSWER,
    graph: MAY_ANSWER,
    docs: QDRANT_FAILS,
    legacy: MAY_ANSWER,
    resources: MAY_ANSWER,
  },
  timeoutMs: 400,
  mostConnections: 16,
});

faultSuite({
  engine: 'neo4j',
  title: 'Neo4j',
  url: engineUrl('neo4j') ?? 'bolt://127.0.0.1',
  defaultPort: 7687,
  env: (url) => ({
    PITH_GRAPH_ENGINE: 'neo4j',
    PITH_NEO4J_URL: url,
    PITH_NEO4J_PASSWORD: process.env['NEO4J_PASSWORD'] ?? '',
  }),
  refusal: boltRefusal,
  expected: {
    kb: /^answers(?: without graph)?$/,
    passages: ANSWERS,
    graph: /^(?:BACKEND_UNAVAILABLE|TIMEOUT) neo4j$/,
    docs: ANSWERS,
    legacy: /^(?:answers|(?:BACKEND_UNAVAILABLE|TIMEOUT) neo4j)$/,
    resources: ANSWERS,
  },
  timeoutMs: 1_500,
  mostConnections: 16,
});
