import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const HOOK = join(__dirname, 'loaded-modules-hook.cjs');

/** What only a server may load that sends telemetry or answers /metrics. */
const TELEMETRY = /[\\/]node_modules[\\/](?:@opentelemetry[\\/](?!api[\\/])|prom-client[\\/])/;

/** The environment that makes a process write to this file, as it ends, which files it has loaded. */
export function listedModulesEnv(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--require "${HOOK}"`, LOADED_MODULES_FILE: file };
}

/** Files that a process has loaded, of all its threads; [] before it has ended. */
export function loadedModules(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** Of them, those of OpenTelemetry's SDK, whose API is part of the program, and of prom-client. */
export function telemetryModules(file: string): string[] {
  return loadedModules(file).filter((path) => TELEMETRY.test(path));
}
