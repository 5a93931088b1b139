import type { Config } from '../../config/config.js';
import { openPostgres } from '../postgres/open-postgres.js';
import { PostgresProviderPins } from './postgres-provider-pins.js';
import type { ProviderPins } from './provider-pins.port.js';
import { SqliteProviderPins } from './sqlite-provider-pins.js';

/**
 * The store of accepted definitions of external tools; opened when it is first used.
 * @param config  with the final path of the store
 * @param use  a server creates the file if missing, a command does not; a look writes nothing at all
 */
export function openProviderPins(
  config: Pick<Config, 'governance' | 'backends'>,
  use: 'server' | 'command' | 'look',
): ProviderPins {
  if (config.backends.governanceDatabase !== '')
    return new PostgresProviderPins(openPostgres(config, use === 'server' ? use : 'command'));
  const { governance } = config;
  return new SqliteProviderPins({
    file: governance.storeFile,
    creates: use === 'server',
    isReadOnly: use === 'look',
  });
}
