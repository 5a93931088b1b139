import { Option } from 'commander';
import { EXIT, printFailure, reportFailure } from './failures.js';
import { ENGINES } from './flags.js';

/** Maximum time that open handles, such as those of a half-started server, keep a failed command alive (ms). */
const LEFT_OPEN_MS = 500;

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
    '--docs <folder>',
    'index this folder before serving, and its changes at every start; the index is in your data folder, or at --index',
  );

export const engineOption = (): Option =>
  new Option(
    '--engine <name...>',
    'engines to fill from the index file; sqlite for none (default: PITH_SECTION_ENGINE, PITH_GRAPH_ENGINE)',
  ).choices(ENGINES);
