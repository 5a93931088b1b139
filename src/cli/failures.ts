import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import type { HttpConfig } from '../config/settings/http.config.js';
import { codeIn, type FailureFacts, PithError } from '../core/errors.js';
import { tell } from '../core/stderr.js';
import { print } from './print.js';

/** Exit codes. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** Done, but some files were skipped and need fixing. */
  partial: 3,
} as const;

/** Why a server can't listen; null for other errors. */
export function listenProblem(
  error: unknown,
  { host, port }: Pick<HttpConfig, 'host' | 'port'>,
): string | null {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `${host}:${port} is in use`,
    EACCES: `Permission denied for port ${port}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
  };
  const code = codeIn(error);
  const problem = problems[code];
  return problem === undefined ? null : `${problem}. Choose another with --port or --host.`;
}

/** A failure in the output of `--json`. */
function factsOf(error: unknown): FailureFacts {
  if (error instanceof PithError) {
    const { code, reason, message, hint } = error;
    return { code, reason, message, hint };
  }
  const isConfiguration = error instanceof InvalidConfigurationError;
  return {
    code: isConfiguration ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR',
    reason: isConfiguration ? 'configuration' : 'internal',
    message: error instanceof Error ? error.message : String(error),
    hint: isConfiguration
      ? 'Correct or unset these variables.'
      : 'Run the command without --json for details.',
  };
}

/** Prints a failure for programs, on stdout. @returns the exit code */
export function printFailure(error: unknown): number {
  print(JSON.stringify({ error: factsOf(error) }));
  return error instanceof InvalidConfigurationError ? EXIT.usage : EXIT.failed;
}

/** Prints a failure with its next step on stderr. @returns the exit code */
export function reportFailure(error: unknown): number {
  if (error instanceof PithError) {
    tell(`pith: ${error.message}`, `      ${error.commandHint}`);
    return EXIT.failed;
  }
  if (error instanceof InvalidConfigurationError) {
    tell(`pith: ${error.heading}`, ...error.problems.map((problem) => `  - ${problem}`));
    return EXIT.usage;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tell(`pith: unexpected error: ${text}`);
  return EXIT.failed;
}
