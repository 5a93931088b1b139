import { Amount, Count, Flag, Text } from '../setting.js';

/** Records of retrievals, for operators. */
export class DiagnosticsConfig {
  @Text(
    'RETRIEVAL_DIAGNOSTICS_DIR',
    'Folder for diagnostics, with one folder per day. A relative path is resolved against the folder of the index.',
    { takes: 'a path', pattern: /\S/ },
  )
  dir = 'reports/retrieval_diagnostics';

  @Amount(
    'RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE',
    'Share of retrievals that get a diagnostic. Failed retrievals always get one.',
    { min: 0, max: 1 },
  )
  sampleRate = 0.01;

  @Flag('RETRIEVAL_DIAGNOSTICS_FORCE', 'Write a diagnostic for every retrieval.')
  force = false;

  @Count(
    'RETRIEVAL_DIAGNOSTICS_RETENTION_DAYS',
    'Days to keep diagnostics. Older ones are deleted at the next start. 0 keeps all.',
    { min: 0, max: 3_650 },
  )
  retentionDays = 14;

  @Flag(
    'RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT',
    'Store questions, keywords and error messages in diagnostics. false: only a hash and the length of the question.',
  )
  storeQueryText = false;

  @Flag(
    'MCP_DIAGNOSTICS_RESOURCES_ENABLED',
    'Offer diagnostics to operators: as resources and with the tool diagnostics.get.',
  )
  resourcesEnabled = false;
}
