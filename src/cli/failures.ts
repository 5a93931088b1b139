import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import type { HttpConfig } from '../config/settings/http.config.js';
import { BackendUnavailableError, codeIn, type FailureFacts, PithError } from '../core/errors.js';
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

const PERMISSION = [
  "may not be used by this user: the system doesn't permit it",
  'Change its permissions, or name another place.',
];
const FULL = ["can't be written: the disk is full or broken", 'Free disk space, then run the command again.'];

/** By the codes of the system: what is wrong with a file, and what to do. */
const FILE_PROBLEMS: Readonly<Record<string, readonly string[]>> = {
  ENOENT: ['does not exist', 'Correct the path.'],
  EISDIR: ['is a folder', 'Name a file.'],
  ENOTDIR: ["can't exist: a part of its path is a file", 'Correct the path.'],
  ENAMETOOLONG: ['has too long a name', 'Name another place.'],
  ELOOP: ['leads through links in a circle', 'Name another place.'],
  EROFS: ["can't be written: its disk is read-only", 'Name another place.'],
  ...{ EACCES: PERMISSION, EPERM: PERMISSION },
  ...{ ENOSPC: FULL, EDQUOT: FULL, EFBIG: FULL, EIO: FULL },
};

/** The failure of a file with its next step; other errors as they are. */
function explained(error: unknown): unknown {
  const { message = '', path = 'A file' }: { readonly message?: string; readonly path?: string } =
    Object(error);
  const isFull = /disk i\/o error|disk is full/i.test(message);
  const [problem, hint] = isFull ? FULL : (FILE_PROBLEMS[codeIn(error)] ?? []);
  if (problem === undefined || hint === undefined || error instanceof PithError) return error;
  return new BackendUnavailableError(`${path} ${problem}.`, {
    reason: 'file_not_usable',
    hint,
    cause: error,
  });
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
  print(JSON.stringify({ error: factsOf(explained(error)) }));
  return error instanceof InvalidConfigurationError ? EXIT.usage : EXIT.failed;
}

/** Prints a failure with its next step on stderr. @returns the exit code */
export function reportFailure(failure: unknown): number {
  const error = explained(failure);
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
