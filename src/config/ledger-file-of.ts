import { dirname, format, parse, resolve } from 'node:path';

/**
 * The ledger file: the one that is set, else a file beside the index.
 * @param set  PITH_LEDGER_FILE; relative to the folder of the index
 */
export function ledgerFileOf(indexFile: string, set: string): string {
  if (set !== '') return resolve(dirname(indexFile), set);
  const { dir, name, ext } = parse(indexFile);
  return format({ dir, name: `${name}.ledger`, ext });
}
