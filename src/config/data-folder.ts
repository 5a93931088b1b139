import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './config.js';

/** The facts that determine a user's folders; tests pass their own. */
export interface UserPlace {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Environment;
}

/** The user that runs this process. */
export const thisUser = (): UserPlace => ({
  platform: process.platform,
  home: homedir(),
  environment: process.env,
});

/** The folder in a variable, if it is an absolute path as the XDG specification requires; otherwise the default. */
const folderOf = (value: string | undefined, standard: string): string =>
  value !== undefined && /^(?:\/|[A-Za-z]:[\\/])/u.test(value) ? value : standard;

/** The user's data folder, by the platform's convention. */
export function userDataFolder({ platform, home, environment }: UserPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'pith');
  if (platform === 'win32')
    return join(folderOf(environment['LOCALAPPDATA'], join(home, 'AppData', 'Local')), 'pith');
  return join(folderOf(environment['XDG_DATA_HOME'], join(home, '.local', 'share')), 'pith');
}

/** The user's configuration folder, by the platform's convention; on Windows the roaming one. */
export function userConfigFolder({ platform, home, environment }: UserPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return folderOf(environment['APPDATA'], join(home, 'AppData', 'Roaming'));
  return folderOf(environment['XDG_CONFIG_HOME'], join(home, '.config'));
}
