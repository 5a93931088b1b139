import { Count, Text } from './setting.js';

/** Where the index is and what goes into it. */
export class IndexConfig {
  @Text('PITH_INDEX', 'The index file. A relative path starts at the working directory of the process.', {
    takes: 'path',
  })
  file = '.pith/index.sqlite';

  @Count('PITH_MAX_FILE_BYTES', 'Documents larger than this are skipped and named in the report (bytes).', {
    min: 1024,
    max: 1_073_741_824,
  })
  maxFileBytes = 20_971_520;
}
