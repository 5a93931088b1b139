import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const HOOK = join(__dirname, 'loaded-modules-hook.cjs');

/** Modules that may only be loaded for telemetry or /metrics. */
const TELEMETRY = /[\\/]node_modules[\\/](?:@opentelemetry[\\/](?!api[\\/])|prom-client[\\/])/;

/** The environment that makes a process write its loaded files to this file when it ends. */
export function listedModulesEnv(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--require "${HOOK}"`, LOADED_MODULES_FILE: file };
}

/** Loaded files of all threads of a process; [] before it ends. */
export function loadedModules(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** The loaded files of prom-client and of OpenTelemetry's SDK (its API is always loaded). */
export function telemetryModules(file: string): string[] {
  return loadedModules(file).filter((path) => TELEMETRY.test(path));
}
