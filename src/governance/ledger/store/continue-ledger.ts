import { eventText } from '../event-text.js';
import {
  type LedgerEntry,
  type LedgerKeys,
  lineHash,
  NO_LINE,
  signHead,
  type StoredLine,
} from '../ledger-chain.js';
import type { LedgerMark } from '../ledger-line.js';
import type { UncheckedHead } from '../ledger-verifier.js';
import type { Removal } from './ledger-store.js';

/** Errors of a ledger that can't be used, with the messages of its engine. */
export interface LedgerFailures {
  readonly damaged: (why: string) => Error;
  readonly otherSecret: () => Error;
}

/** The end of a ledger, as it was read. */
export interface LedgerEnd {
  readonly head: UncheckedHead | null;
  /** True if there are lines without a head. */
  readonly hasOnlyLines: boolean;
  /** The last line that this process has seen. */
  readonly seen: LedgerMark;
}

/** The head that the next line follows. @throws the failures */
export function trustedHead(end: LedgerEnd, keys: LedgerKeys, failures: LedgerFailures): LedgerMark {
  const { head: stored, hasOnlyLines, seen } = end;
  if (!stored) {
    if (seen.seq === NO_LINE.seq && !hasOnlyLines) return NO_LINE;
    throw failures.damaged('its head is missing');
  }
  if (stored.keyId !== keys.id) throw failures.otherSecret();
  const head = { seq: Number(stored.seq), hash: String(stored.hash) };
  if (signHead(head, keys).signature !== stored.signature) throw failures.damaged('its head was changed');
  if (head.seq < seen.seq) throw failures.damaged(`lines after line ${head.seq} were removed`);
  return head;
}

/**
 * The lines that retention removes.
 * @param lines  the first lines of the ledger
 * @throws the failures if one of them does not verify
 */
export function linesToRemove(
  lines: readonly StoredLine[],
  { before, keys }: Pick<Removal, 'before'> & { readonly keys: LedgerKeys },
  failures: LedgerFailures,
): readonly StoredLine[] {
  const kept = lines.findIndex((line) => line.time >= before);
  const old = kept === -1 ? lines : lines.slice(0, kept);
  const bad = old.find(
    (line, i) => lineHash(line, keys) !== line.hash || (i > 0 && line.previous !== old[i - 1]?.hash),
  );
  if (bad) throw failures.damaged(`line ${bad.seq} is not what the ledger wrote`);
  return old;
}

/** The line that accounts for removed lines. @param through  the last of them */
export function checkpointAfter({ seq, hash }: LedgerMark, time: string): LedgerEntry {
  return { time, event: eventText({ type: 'checkpoint', removed_through: seq, hash }) };
}
