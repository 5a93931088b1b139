import 'reflect-metadata';
import { dirname, resolve } from 'node:path';
import { type Config, configWarnings, type Environment, readConfig } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { missingPackages } from '../config/required-packages.js';
import { isInstalled } from '../core/package-facts.js';
import { silenceForeign, tell } from '../core/stderr.js';
import { chooseIndex, realFolder } from './served-folder.js';

function readSettings(overrides: Environment): Config {
  for (const warning of configWarnings()) tell(`pith: ${warning}`);
  const config = readConfig(overrides);
  const missing = missingPackages(config, isInstalled);
  if (missing.length > 0) throw new InvalidConfigurationError(missing);
  if (config.server.noLog) silenceForeign();
  config.index.file = resolve(config.index.file);
  return config;
}

/** Diagnostics go to a folder next to the index, so the index file must be final. */
function placeDiagnostics({ index, diagnostics }: Config): void {
  diagnostics.dir = resolve(dirname(index.file), diagnostics.dir);
}

/**
 * Reads the settings, prints warnings on stderr and makes paths absolute.
 * @throws InvalidConfigurationError, also for an engine whose package is not installed
 */
export function loadConfig(overrides: Environment): Config {
  const config = readSettings(overrides);
  placeDiagnostics(config);
  return config;
}

/** The settings of a server. */
export interface ServedConfig {
  readonly config: Config;
  /** The real path of the folder that `--docs` names. */
  readonly folder: string | null;
}

/**
 * Reads the settings of a server; the folder that `--docs` names decides on the index unless one is set.
 * @throws InvalidConfigurationError as `loadConfig` does, InvalidArgumentError `folder_missing`
 */
export function loadServedConfig(overrides: Environment, docs: string | undefined): ServedConfig {
  const config = readSettings(overrides);
  const folder = docs === undefined ? null : realFolder(docs);
  if (folder !== null) chooseIndex(config, folder);
  placeDiagnostics(config);
  return { config, folder };
}
