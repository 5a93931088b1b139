import { Choice, Count, Text } from '../setting.js';

/** The index file and what it may contain. */
export class IndexConfig {
  @Text('PITH_INDEX', 'Path of the index file. A relative path is resolved against the working directory.', {
    takes: 'path',
  })
  file = '.pith/index.sqlite';

  @Choice(
    'PITH_INDEX_STORE',
    'Where the index is kept: in the file only, or also in PITH_DATABASE, from which every server takes its copy of the file. `pith index` stores there what has changed.',
    ['file', 'database'],
  )
  store: 'file' | 'database' = 'file';

  @Count(
    'PITH_MAX_FILE_BYTES',
    'Largest document that is indexed (bytes). Larger files are skipped and listed in the report.',
    { min: 1024, max: 1_073_741_824 },
  )
  maxFileBytes = 20_971_520;

  /** Settings that replace those of the environment, for processes that index for this one. */
  overrides: Readonly<Record<string, string | undefined>> = {};
}
