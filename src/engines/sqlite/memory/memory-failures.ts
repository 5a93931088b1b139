import { BackendUnavailableError, PithError } from '../../../core/errors.js';
import { indexDamaged, isDamaged, messageOf } from '../open-database.js';

/** Other imports changed memory during every attempt. */
export function memoryRestless(): BackendUnavailableError {
  return new BackendUnavailableError('Memory changed repeatedly while rows were embedded.', {
    reason: 'index_busy',
    hint: 'Run it again when no other import is running. Memory is unchanged.',
  });
}

/** The file holds no memory yet. */
export function memoryMissing(file: string): BackendUnavailableError {
  return new BackendUnavailableError(`There is no memory in ${file}.`, {
    serverFile: file,
    reason: 'memory_missing',
    hint: `Run: pith memory import FILE --index "${file}"`,
  });
}

/** Explains a full disk for temporary files; other errors are returned as they are. */
export function cannotStage(error: unknown): unknown {
  if (!/disk is full|disk i\/o error/i.test(messageOf(error))) return error;
  return new BackendUnavailableError(
    `The rows to import can't be written to a temporary file: ${messageOf(error)}.`,
    {
      reason: 'index_not_writable',
      hint: 'Free space in the folder for temporary files, or set SQLITE_TMPDIR to another folder. Memory is unchanged.',
      cause: error,
    },
  );
}

/** Explains why the index file can't be written; other errors are returned as they are. */
export function cannotWrite(file: string, error: unknown): unknown {
  if (error instanceof PithError) {
    if (error.reason !== 'index_not_writable') return error;
    const { message, reason } = error;
    const hint = 'Free disk space and run it again. Memory is unchanged.';
    return new BackendUnavailableError(message, { reason, hint, cause: error });
  }
  const text = messageOf(error);
  if (isDamaged(error)) return indexDamaged(file, error);
  if (!/readonly|read-only|unable to open|EACCES|EROFS|ENOTDIR|EEXIST/i.test(text)) return error;
  return new BackendUnavailableError(`Memory can't be written to ${file}: ${text}.`, {
    serverFile: file,
    reason: 'index_read_only',
    hint: 'Choose a writable path with --index FILE.',
    cause: error,
  });
}
