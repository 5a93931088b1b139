import { BackendUnavailableError, PithError } from '../../core/errors.js';
import { isBusy, isDamaged, messageOf } from '../open-database.js';

/** A kind of store file: how its files are told apart, and how messages name it. */
export interface StoreKind {
  /** Application id in the header of the file. */
  readonly id: number;
  /** Raised when existing tables change. New tables need no new version. */
  readonly version: number;
  /** As in `the governance store`. */
  readonly name: string;
  /** Start of the reasons of failures. */
  readonly reason: string;
  /** The setting that chooses the file. */
  readonly setting: string;
  /** The next step if there is no file. Default: for files that servers create when they first need them. */
  readonly missingHint?: string;
}

/** No server has stored anything yet, or the path is wrong. */
export function storeMissing(kind: StoreKind, file: string): BackendUnavailableError {
  const { name, reason, setting, missingHint } = kind;
  return new BackendUnavailableError(`There is no ${name} at ${file}.`, {
    serverFile: file,
    reason: `${reason}_missing`,
    hint:
      missingHint ??
      `Servers create it when they first need it. If it is elsewhere, set ${setting} or --index.`,
  });
}

/** The process is stopping. */
export function storeClosed({ name, reason }: StoreKind): BackendUnavailableError {
  return new BackendUnavailableError(`The ${name} is closed.`, {
    reason: `${reason}_closed`,
    hint: 'The server is stopping. Send the call to another server, or try again.',
  });
}

/** Why a file can't be a store. */
interface Unsuitable {
  readonly why: string;
  readonly cause?: unknown;
}

/** The file belongs to another program, to a later version, or is damaged. */
export function notAStore(
  { name, reason, setting }: StoreKind,
  file: string,
  { why, cause }: Unsuitable,
): BackendUnavailableError {
  return new BackendUnavailableError(`${file} is not a ${name} that this version can use: ${why}.`, {
    serverFile: file,
    reason: `${reason}_incompatible`,
    hint: `Choose another file with ${setting}, or move this one away.`,
    cause,
  });
}

function storeBusy({ name, reason }: StoreKind, file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The ${name} at ${file} is locked by another program.`, {
    serverFile: file,
    reason: `${reason}_busy`,
    hint: 'Try again in a moment. If it stays locked, find the program that has the file open.',
    cause,
  });
}

function storeNotWritable(
  { name, reason, setting }: StoreKind,
  file: string,
  cause: unknown,
): BackendUnavailableError {
  return new BackendUnavailableError(`The ${name} at ${file} can't be written: ${messageOf(cause)}.`, {
    serverFile: file,
    reason: `${reason}_not_writable`,
    hint: `Free disk space, make the folder writable for this user, or set ${setting}.`,
    cause,
  });
}

const NOT_WRITABLE =
  /disk is full|disk i\/o|readonly|read-only|unable to open|EACCES|EROFS|ENOTDIR|EEXIST|EPERM|ENOSPC|EISDIR/i;

/** Explains why a store can't be used. Unknown errors are returned as they are. */
export function storeFailure(kind: StoreKind, file: string, cause: unknown): unknown {
  if (cause instanceof PithError) return cause;
  if (isBusy(cause)) return storeBusy(kind, file, cause);
  if (NOT_WRITABLE.test(messageOf(cause))) return storeNotWritable(kind, file, cause);
  if (isDamaged(cause)) return notAStore(kind, file, { why: messageOf(cause), cause });
  return cause;
}
