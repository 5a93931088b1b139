import { Choice, Count, Text } from '../setting.js';

/** The run ledger: the record of every call. */
export class LedgerConfig {
  @Choice('PITH_LEDGER', 'Record every call in the run ledger. auto: on for HTTP, off for STDIO.', [
    'auto',
    'on',
    'off',
  ])
  mode: 'auto' | 'on' | 'off' = 'auto';

  @Text(
    'PITH_LEDGER_FILE',
    'Path of the ledger file. A relative path is resolved against the folder of the index. Empty: beside the index, as index.ledger.sqlite.',
    { takes: 'empty, or a path' },
  )
  file = '';

  @Choice(
    'PITH_LEDGER_ARGUMENTS',
    'on: the run ledger also records the arguments of calls, at most 2,048 bytes each, without secrets of known kinds and without texts of memory queries.',
    ['off', 'on'],
  )
  arguments: 'off' | 'on' = 'off';

  @Count(
    'PITH_LEDGER_RETENTION_DAYS',
    'Days to keep lines of the ledger and expired requests for approval. Older ones are removed at the start and once a day. 0 keeps all.',
    { min: 0, max: 3_650 },
  )
  retentionDays = 90;
}
