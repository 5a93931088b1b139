import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { PithError } from '../errors.js';

/** What a command ends with. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** Done, but some files were skipped that somebody should mend. */
  partial: 3,
} as const;

/** Says on stderr what went wrong and what to do next. @returns the exit code */
export function reportFailure(error: unknown): number {
  if (error instanceof PithError) {
    process.stderr.write(`pith: ${error.message}\n      ${error.hint}\n`);
    return EXIT.failed;
  }
  if (error instanceof InvalidConfigurationError) {
    process.stderr.write(`pith: ${error.message}\n`);
    return EXIT.usage;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`pith: something went wrong that should not: ${text}\n`);
  return EXIT.failed;
}
