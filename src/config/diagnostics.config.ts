import { Amount, Count, Flag, Text } from './setting.js';

/** What is written down of retrievals, for operators. */
export class DiagnosticsConfig {
  @Text('RETRIEVAL_DIAGNOSTICS_DIR', 'Folder of the diagnostics; a folder for each day is made in it.', {
    takes: 'a path',
    pattern: /\S/,
  })
  dir = 'reports/retrieval_diagnostics';

  @Amount(
    'RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE',
    'Share of retrievals of which a diagnostic is written. Failed ones always have one.',
    { min: 0, max: 1 },
  )
  sampleRate = 0.01;

  @Flag('RETRIEVAL_DIAGNOSTICS_FORCE', 'Write a diagnostic of every retrieval.')
  force = false;

  @Count(
    'RETRIEVAL_DIAGNOSTICS_RETENTION_DAYS',
    'Days that diagnostics are kept; older ones go at the next start. 0 keeps them all.',
    { min: 0, max: 3_650 },
  )
  retentionDays = 14;

  @Flag(
    'RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT',
    'Keep questions, keywords and messages of errors in diagnostics, where otherwise only a hash and the length of the question are kept.',
  )
  storeQueryText = false;

  @Flag(
    'MCP_DIAGNOSTICS_RESOURCES_ENABLED',
    'Offer diagnostics to operators as resources, and the tool diagnostics.get.',
  )
  resourcesEnabled = false;
}
