import type { Config } from '../../config/config.js';
import { openPostgres } from '../postgres/open-postgres.js';
import type { DefinitionStore } from './definition-store.port.js';
import { PostgresDefinitionStore } from './postgres-definition-store.js';
import { SqliteDefinitionStore } from './sqlite-definition-store.js';

/**
 * The store of tool definitions; opened when it is first used.
 * @param config  with the final path of the store
 * @param use  a server creates the file if missing; a look writes nothing at all
 */
export function openDefinitions(
  config: Pick<Config, 'governance' | 'backends'>,
  use: 'server' | 'look',
): DefinitionStore {
  const isServer = use === 'server';
  if (config.backends.governanceDatabase !== '')
    return new PostgresDefinitionStore(openPostgres(config, isServer ? 'server' : 'command'));
  const { storeFile: file } = config.governance;
  return new SqliteDefinitionStore({ file, creates: isServer, isReadOnly: !isServer });
}

/** The store of a server; null without a governance file or database, so that no file is made. */
export function openServerDefinitions(
  config: Pick<Config, 'governance' | 'backends'>,
): DefinitionStore | null {
  const isGoverned = config.governance.file !== '' || config.backends.governanceDatabase !== '';
  return isGoverned ? openDefinitions(config, 'server') : null;
}
