import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, configWarnings, type Environment, readConfig } from '../config/config.js';
import { thisUser, userDataFolder } from '../config/data-folder.js';
import { addressScheme, givenPath, localRepository } from '../config/given-path.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { missingPackages } from '../config/required-packages.js';
import { IndexConfig } from '../config/settings/index.config.js';
import { storeFileOf } from '../config/store-file-of.js';
import { InvalidArgumentError } from '../core/errors.js';
import { isInstalled } from '../core/package-facts.js';
import { silenceForeign, tell } from '../core/stderr.js';

const HASH_CHARS = 8;
const MAX_NAME_CHARS = 40;

function readSettings(overrides: Environment): Config {
  for (const warning of configWarnings()) tell(`pith: ${warning}`);
  const config = readConfig(overrides);
  const missing = missingPackages(config, isInstalled);
  if (missing.length > 0) throw new InvalidConfigurationError(missing);
  if (config.server.noLog) silenceForeign();
  config.index.file = resolve(config.index.file);
  config.index.overrides = overrides;
  return config;
}

/** Diagnostics, the ledger, approvals and work are next to the index, so the index file must be final. */
function placeReports({ index, diagnostics, ledger, governance, domains }: Config): void {
  diagnostics.dir = resolve(dirname(index.file), diagnostics.dir);
  ledger.file = storeFileOf(index.file, ledger.file, 'ledger');
  governance.storeFile = storeFileOf(index.file, governance.storeFile, 'governance');
  domains.workFile = storeFileOf(index.file, domains.workFile, 'work');
}

/** Reads the settings, prints warnings on stderr, makes paths absolute. @throws InvalidConfigurationError */
export function loadConfig(overrides: Environment): Config {
  const config = readSettings(overrides);
  placeReports(config);
  return config;
}

/** True if the index file is not the default. */
export const isIndexChosen = ({ index }: Config): boolean => index.file !== resolve(new IndexConfig().file);

/** @throws InvalidArgumentError for a path with variables that were not replaced */
function readSource(docs: string, config: Config): string {
  if (addressScheme(docs) !== null) return docs;
  const { path, problem } = givenPath(docs);
  if (path !== null) return repositoryAddress(path) ?? realFolder(path, config);
  throw new InvalidArgumentError(`${problem}.`, {
    reason: 'path_invalid',
    hint: 'Set --docs to a folder, a file or an address.',
  });
}

/** The address of a repository of this machine, with its branch and folder: `handbook.git#main:docs`. */
function repositoryAddress(path: string): string | null {
  const found = localRepository(path);
  return found && pathToFileURL(realpathSync(found.folder)).href + found.place;
}

/** A folder that is missing now may have been indexed before. The server then answers from that index. */
function realFolder(folder: string, config: Config): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    const path = resolve(folder);
    if (existsSync(isIndexChosen(config) ? config.index.file : indexFileOf(path))) return path;
    throw new InvalidArgumentError(`${path} does not exist.`, {
      reason: 'folder_missing',
      hint: 'Set --docs to a folder, a file or an address. A relative path starts at the working directory.',
      cause,
    });
  }
}

/** The default is in the user's data folder, because the working directory differs between hosts. */
function indexFileOf(folder: string): string {
  const name =
    basename(folder)
      .replace(/[^\w.-]+/gu, '_')
      .slice(0, MAX_NAME_CHARS) || 'documents';
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, HASH_CHARS);
  return join(userDataFolder(thisUser()), `${name}-${hash}.sqlite`);
}

/** The settings of a server. */
export interface ServedConfig {
  readonly config: Config;
  /** The real path of the folder or the file of `--docs`, or the address. */
  readonly folder: string | null;
}

/** The folder of `--docs` determines the index file, unless one is set. @throws also InvalidArgumentError */
export function loadServedConfig(overrides: Environment, docs: string | undefined): ServedConfig {
  const config = readSettings(overrides);
  const folder = docs === undefined ? null : readSource(docs, config);
  if (folder !== null && !isIndexChosen(config)) config.index.file = indexFileOf(folder);
  placeReports(config);
  return { config, folder };
}
