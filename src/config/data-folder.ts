import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './config.js';

/** Where to look for a user's folders; from the process unless a test says otherwise. */
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

/** The folder that a variable names, where it is absolute, as the XDG specification demands; else the default. */
const folderOf = (value: string | undefined, standard: string): string =>
  value !== undefined && /^(?:\/|[A-Za-z]:[\\/])/u.test(value) ? value : standard;

/** Where programs keep data of this user, by the platform's convention. */
export function userDataFolder({ platform, home, environment }: UserPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'pith');
  if (platform === 'win32')
    return join(folderOf(environment['LOCALAPPDATA'], join(home, 'AppData', 'Local')), 'pith');
  return join(folderOf(environment['XDG_DATA_HOME'], join(home, '.local', 'share')), 'pith');
}

/** Where programs keep configuration of this user: roaming on Windows. */
export function userConfigFolder({ platform, home, environment }: UserPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return folderOf(environment['APPDATA'], join(home, 'AppData', 'Roaming'));
  return folderOf(environment['XDG_CONFIG_HOME'], join(home, '.config'));
}
