import type { MessagePort } from 'node:worker_threads';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config/config.js';
import { givenPath } from '../config/given-path.js';
import type { KeptStore } from '../sqlite/stores/kept-store.js';
import type { Servers } from './commands/serve.command.js';
import { EXIT, printFailure, reportFailure } from './failures.js';
import { ENGINES } from './flags.js';

/** Maximum time that open handles, such as those of a half-started server, keep a failed command alive (ms). */
const LEFT_OPEN_MS = 500;

/** The result of one check of `pith doctor`. */
export interface Finding {
  readonly isGood: boolean;
  readonly text: string;
  readonly hint?: string;
}

/** The commands of a feature, and its other ways to start the program. */
export interface FeatureCommands {
  /** Each adds a command, which loads its code when it runs. */
  readonly add: readonly ((program: Command, servers: Servers) => void)[];
  /** Its files for `pith backup` and `pith restore`. @param parts  of the archive that is restored; else empty */
  readonly stores?: (config: Config, parts: readonly string[]) => Promise<readonly KeptStore[]>;
  /** Lines about stores that `pith backup` does not save. */
  readonly unsaved?: (config: Config) => Promise<readonly string[]>;
  /** A check of `pith doctor`, which changes nothing. */
  readonly check?: (config: Config) => Promise<readonly Finding[]>;
  /** The work of the program as a worker thread, by the `task` of its `workerData`. */
  readonly threads?: Readonly<Record<string, (port: MessagePort) => Promise<void>>>;
}

/** Runs a command and sets the exit code. An error is printed, as JSON if wanted, and ends the process. */
export async function guarded(run: () => Promise<number | void>, isJson = false): Promise<void> {
  try {
    process.exitCode = (await run()) ?? EXIT.ok;
  } catch (error) {
    process.exitCode = isJson ? printFailure(error) : reportFailure(error);
  }
  if (process.exitCode !== EXIT.ok) setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
}

/** Collects the values of a repeatable option. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

export const indexOption = (): Option =>
  new Option('--index <file>', 'the index file (PITH_INDEX; default .pith/index.sqlite)');

export const docsOption = (): Option =>
  new Option(
    '--docs <source>',
    'index this folder, file or address before serving, and its changes at every start; the index is in your data folder, or at --index',
  );

/** Options of commands that read sources. */
export const allowHostOption = (): Option =>
  new Option('--allow-host <host>', 'host inside your networks that sources may ask; repeatable').argParser(
    collect,
  );

export const secretOption = (): Option =>
  new Option('--secret <variable>', 'variable of the environment with the token of the one address');

export const engineOption = (): Option =>
  new Option(
    '--engine <name...>',
    'engines to fill from the index file; sqlite for none (default: PITH_SECTION_ENGINE, PITH_GRAPH_ENGINE)',
  ).choices(ENGINES);

function readPath(text: string): string {
  const { path, problem } = givenPath(text);
  if (path === null) throw new InvalidArgumentError(`${problem}.`);
  return path;
}

/** Placeholders for a path in the help of options and arguments. */
const PATH_OPTION = /[<[](?:file|folder|run)(?:\.\.\.)?[>\]]$/;
const PATH_ARGUMENTS = ['file', 'folder', 'set'];

/** Has a command read its paths: `~` is the home folder; URLs and unexpanded variables are refused. */
export function readPaths(command: Command): void {
  for (const option of command.options.filter(({ flags }) => PATH_OPTION.test(flags))) {
    const { parseArg: read } = option;
    option.argParser<unknown>((text, before) => read?.(readPath(text), before) ?? readPath(text));
  }
  for (const argument of command.registeredArguments.filter((each) => PATH_ARGUMENTS.includes(each.name())))
    argument.argParser<unknown>((text, before) => {
      const path = readPath(text);
      return argument.variadic ? collect(path, Array.isArray(before) ? before : []) : path;
    });
}

const SPAN = /^(\d{1,6})\s*([mhd])$/;
const DATE = /^\d{4}-\d{2}-\d{2}/;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a date and time, or an age such as `2h`. @returns ISO-8601, UTC */
export function moment(text: string): string {
  const [, count, unit = ''] = SPAN.exec(text.trim()) ?? [];
  const ago = UNITS[unit];
  const date = DATE.test(text) ? Date.parse(text) : NaN;
  const at = ago === undefined ? date : Date.now() - Number(count) * ago;
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      'Expected a date and time (2026-01-31T12:00Z) or an age such as 30m, 2h or 7d.',
    );
  return new Date(at).toISOString();
}
