import { Option } from 'commander';
import type { Environment } from '../config/config.js';
import type { SearchMode } from '../core/ranking.js';
import { EXIT, printFailure, reportFailure } from './failures.js';

/** Options of every command. */
export interface Common {
  readonly index?: string;
}

export interface HttpFlags extends Common {
  readonly port?: string;
  readonly host?: string;
}

/** The settings that flags set; they override the environment. */
export function overrides({ index, port, host }: HttpFlags): Environment {
  return {
    ...(index === undefined ? {} : { PITH_INDEX: index }),
    ...(port === undefined ? {} : { PITH_HTTP_PORT: port }),
    ...(host === undefined ? {} : { PITH_HTTP_HOST: host }),
  };
}

/** How long open handles, such as a half-started server, may keep the process of a failed command alive. */
const LEFT_OPEN_MS = 500;

/**
 * Runs a command. An error becomes a sentence, or a line of JSON, and an exit code; a command that fails ends its
 * process.
 */
export async function guarded(run: () => Promise<number | void>, isJson = false): Promise<void> {
  try {
    process.exitCode = (await run()) ?? EXIT.ok;
  } catch (error) {
    process.exitCode = isJson ? printFailure(error) : reportFailure(error);
  }
  if (process.exitCode !== EXIT.ok) setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
}

/** Values of an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

export const indexOption = (): Option =>
  new Option('--index <file>', 'the index file (PITH_INDEX; default .pith/index.sqlite)');

export const docsOption = (): Option =>
  new Option(
    '--docs <folder>',
    'index this folder before serving, and its changes at every start; the index is in your data folder, or at --index',
  );

const ENGINES = ['qdrant', 'neo4j', 'sqlite'] as const;
export type Engine = (typeof ENGINES)[number];

/** `--engine` */
export function engineOption(): Option {
  return new Option(
    '--engine <name...>',
    'engines to fill from the index file; sqlite for none (default: PITH_SECTION_ENGINE, PITH_GRAPH_ENGINE)',
  ).choices(ENGINES);
}

/** The settings that `--engine` sets; none if it is not given, so that those of the environment apply. */
export function engineOverrides(engines: readonly Engine[] | undefined): Environment {
  if (!engines) return {};
  return {
    PITH_SECTION_ENGINE: engines.includes('qdrant') ? 'qdrant' : 'sqlite',
    PITH_GRAPH_ENGINE: engines.includes('neo4j') ? 'neo4j' : 'sqlite',
  };
}

export interface IndexFlags extends Common {
  readonly project?: string;
  readonly environment?: string;
  readonly repository?: string;
  readonly siteUrl?: readonly string[];
  /** False for --no-ignore. */
  readonly ignore: boolean;
  readonly rebuild?: boolean;
  readonly watch?: boolean;
  readonly metadataOut?: string;
  readonly engine?: readonly Engine[];
  readonly json?: boolean;
}

export interface AskFlags extends Common {
  readonly keyword?: readonly string[];
  readonly json?: boolean;
}

/** Options of `start` and of both servers. */
export interface StartFlags extends HttpFlags {
  readonly docs?: string;
}

export interface EvalFlags extends Common {
  readonly corpus?: string;
  readonly keywords?: string;
  readonly mode?: SearchMode;
  readonly baseline?: readonly string[];
  readonly out?: string;
  readonly setFloor?: string;
}
