import 'reflect-metadata';
import { resolve } from 'node:path';
import { configWarnings, readConfig } from '../config/config.js';
import type { Config, Environment } from '../config/config.js';

/** Reads the settings, with warnings on stderr and the index path made absolute. */
export function loadConfig(overrides: Environment): Config {
  for (const warning of configWarnings()) process.stderr.write(`pith: ${warning}\n`);
  const config = readConfig(overrides);
  config.index.file = resolve(config.index.file);
  config.diagnostics.dir = resolve(config.diagnostics.dir);
  return config;
}
