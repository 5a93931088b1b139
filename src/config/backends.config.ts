import { Choice, Count, Text } from './setting.js';

/** The engines that serve instead of the index file and of the process's own memory. */
export class BackendsConfig {
  @Choice(
    'PITH_SECTION_ENGINE',
    'What sections are searched in: the index file, or Qdrant, which `pith index` then fills from it.',
    ['sqlite', 'qdrant'],
  )
  sections: 'sqlite' | 'qdrant' = 'sqlite';

  @Choice(
    'PITH_GRAPH_ENGINE',
    'What answers about links and entities: the graph in the index file, Neo4j, which `pith index` then fills from it, or nothing.',
    ['sqlite', 'neo4j', 'none'],
  )
  graph: 'sqlite' | 'neo4j' | 'none' = 'sqlite';

  @Choice(
    'PITH_SCRATCH_ENGINE',
    'Where passages are kept: in the memory of the process, or in Redis, where all replicas find them.',
    ['memory', 'redis'],
  )
  scratch: 'memory' | 'redis' = 'memory';

  @Text('PITH_QDRANT_URL', 'Where Qdrant answers.', { takes: 'URL', pattern: /^https?:\/\/\S+$/u })
  qdrantUrl = 'http://127.0.0.1:6333';

  @Text('PITH_QDRANT_API_KEY', 'The key for Qdrant.', { secret: true })
  qdrantApiKey = '';

  @Text('PITH_NEO4J_URL', 'Where Neo4j answers.', {
    takes: 'bolt://, bolt+s://, neo4j:// or neo4j+s:// URL',
    pattern: /^(?:bolt|neo4j)(?:\+s|\+ssc)?:\/\/\S+$/u,
  })
  neo4jUrl = 'bolt://127.0.0.1:7687';

  @Text('PITH_NEO4J_USER', 'The user of Neo4j.')
  neo4jUser = 'neo4j';

  @Text('PITH_NEO4J_PASSWORD', 'The password of that user.', { secret: true })
  neo4jPassword = '';

  @Text('PITH_NEO4J_DATABASE', 'The database of Neo4j.')
  neo4jDatabase = 'neo4j';

  @Text('PITH_REDIS_URL', 'Where Redis answers; user and password may be part of it.', {
    takes: 'redis:// or rediss:// URL',
    pattern: /^rediss?:\/\/\S+$/u,
    secret: true,
  })
  redisUrl = 'redis://127.0.0.1:6379';

  @Text(
    'PITH_SCRATCH_KEY',
    'What passages in Redis are encrypted with: at least 32 characters, the same for all replicas. Several, comma-separated: the first writes, all read.',
    { secret: true },
  )
  scratchKey = '';

  @Count('PITH_BACKEND_TIMEOUT_MS', 'How long one request to an engine may take (ms).', {
    min: 50,
    max: 120_000,
  })
  timeoutMs = 5_000;

  @Count(
    'PITH_BACKEND_CONCURRENCY',
    'Requests to one engine or model at a time; four times as many may wait.',
    {
      min: 1,
      max: 256,
    },
  )
  concurrency = 16;
}
