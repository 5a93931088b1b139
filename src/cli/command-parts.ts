import { Option } from 'commander';
import type { Environment } from '../config/config.js';
import { EXIT, reportFailure } from './failures.js';

/** What every command may be told. */
export interface Common {
  readonly index?: string;
}

export interface HttpFlags extends Common {
  readonly port?: string;
  readonly host?: string;
}

/** Settings that flags stand for; they win over the environment. */
export function overrides({ index, port, host }: HttpFlags): Environment {
  return {
    ...(index === undefined ? {} : { PITH_INDEX: index }),
    ...(port === undefined ? {} : { PITH_HTTP_PORT: port }),
    ...(host === undefined ? {} : { PITH_HTTP_HOST: host }),
  };
}

/** Runs a command; what it fails with becomes a sentence and an exit code. */
export async function guarded(run: () => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await run()) ?? EXIT.ok;
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

/** Values of an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

export const indexOption = (): Option =>
  new Option('--index <file>', 'the index file (PITH_INDEX; default .pith/index.sqlite)');
