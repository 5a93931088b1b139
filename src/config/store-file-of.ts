import { dirname, format, parse, resolve } from 'node:path';

/**
 * The file of a store: the one that is set, else a file beside the index.
 * @param set  the setting; relative to the folder of the index
 * @param kind  part of the default name: `index.ledger.sqlite`, `index.governance.sqlite`, `index.work.sqlite`
 */
export function storeFileOf(indexFile: string, set: string, kind: 'ledger' | 'governance' | 'work'): string {
  if (set !== '') return resolve(dirname(indexFile), set);
  const { dir, name, ext } = parse(indexFile);
  return format({ dir, name: `${name}.${kind}`, ext });
}
