import { Choice, Count, Text } from '../setting.js';

const POSTGRES_URL = {
  takes: 'empty, or a postgres:// URL',
  pattern: /^$|^postgres(?:ql)?:\/\/\S+$/u,
  secret: true,
} as const;

/** Engines that replace the index file and process memory. */
export class BackendsConfig {
  @Choice(
    'PITH_SECTION_ENGINE',
    'Engine that searches sections: the index file, or Qdrant. With Qdrant, `pith index` fills it from the index file.',
    ['sqlite', 'qdrant'],
  )
  sections: 'sqlite' | 'qdrant' = 'sqlite';

  @Choice(
    'PITH_GRAPH_ENGINE',
    'Engine that stores the graph: the index file, Neo4j, or none. With Neo4j, `pith index` fills it from the index file.',
    ['sqlite', 'neo4j', 'none'],
  )
  graph: 'sqlite' | 'neo4j' | 'none' = 'sqlite';

  @Choice(
    'PITH_SCRATCH_ENGINE',
    'Where passages are stored: in process memory, or in Redis, shared by all replicas. `auto`: in PITH_DATABASE if it is set, otherwise in memory.',
    ['auto', 'memory', 'redis'],
  )
  scratch: 'auto' | 'memory' | 'redis' = 'auto';

  @Text('PITH_QDRANT_URL', 'Address of Qdrant.', { takes: 'URL', pattern: /^https?:\/\/\S+$/u })
  qdrantUrl = 'http://127.0.0.1:6333';

  @Text('PITH_QDRANT_API_KEY', 'API key for Qdrant.', { secret: true })
  qdrantApiKey = '';

  @Text('PITH_NEO4J_URL', 'Address of Neo4j.', {
    takes: 'bolt://, bolt+s://, neo4j:// or neo4j+s:// URL',
    pattern: /^(?:bolt|neo4j)(?:\+s|\+ssc)?:\/\/\S+$/u,
  })
  neo4jUrl = 'bolt://127.0.0.1:7687';

  @Text('PITH_NEO4J_USER', 'Neo4j user name.')
  neo4jUser = 'neo4j';

  @Text('PITH_NEO4J_PASSWORD', 'Neo4j password.', { secret: true })
  neo4jPassword = '';

  @Text('PITH_NEO4J_DATABASE', 'Neo4j database.')
  neo4jDatabase = 'neo4j';

  @Text('PITH_REDIS_URL', 'Address of Redis. It may include a user name and password.', {
    takes: 'redis:// or rediss:// URL',
    pattern: /^rediss?:\/\/\S+$/u,
    secret: true,
  })
  redisUrl = 'redis://127.0.0.1:6379';

  @Text(
    'PITH_SCRATCH_KEY',
    'Key that encrypts passages in Redis: at least 32 characters, the same on all replicas. For key rotation, give several, separated by commas: the first encrypts, all decrypt.',
    { secret: true },
  )
  scratchKey = '';

  @Text(
    'PITH_DATABASE',
    'PostgreSQL database that all replicas share: the run ledger, approvals, definitions of tools, passages, and what the tools of MCP_DOMAINS store. Empty: SQLite files beside the index.',
    POSTGRES_URL,
  )
  database = '';

  @Text(
    'PITH_GOVERNANCE_DATABASE',
    'PostgreSQL database for the run ledger, approvals and definitions of tools only. Empty: PITH_DATABASE.',
    POSTGRES_URL,
  )
  governanceDatabase = '';

  @Count('PITH_BACKEND_TIMEOUT_MS', 'Timeout of one request to an engine (ms).', { min: 50, max: 120_000 })
  timeoutMs = 5_000;

  @Count(
    'PITH_BACKEND_CONCURRENCY',
    'Maximum concurrent requests to one engine or model. Up to four times as many wait in a queue.',
    { min: 1, max: 256 },
  )
  concurrency = 16;
}
