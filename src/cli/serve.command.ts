import type { Environment } from '../config/config.js';
import { loadConfig } from './load-config.js';

/** `pith stdio` */
export async function serveStdio(overrides: Environment): Promise<void> {
  const config = loadConfig(overrides);
  const { runStdio } = await import('../main.stdio.js');
  await runStdio(config);
}

/** `pith http` */
export async function serveHttp(overrides: Environment): Promise<void> {
  const config = loadConfig(overrides);
  const { runHttp } = await import('../main.http.js');
  await runHttp(config);
}
