import { readEvent } from './event-text.js';
import {
  type LedgerKeys,
  lineHash,
  NO_LINE,
  signHead,
  type StoredHead,
  type StoredLine,
} from './ledger-chain.js';
import type { LedgerDamage, LedgerMark, LedgerVerification } from './ledger-line.js';

/** A line as it was read. Its fields are not checked yet. */
export type UncheckedLine = { readonly [K in keyof StoredLine]: unknown };
/** A head as it was read. Its fields are not checked yet. */
export type UncheckedHead = { readonly [K in keyof StoredHead]: unknown };

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isReadable(line: UncheckedLine): line is StoredLine {
  const { seq, time, event, previous, hash } = line;
  const areTexts = typeof event === 'string' && typeof previous === 'string' && typeof hash === 'string';
  return Number.isSafeInteger(seq) && typeof time === 'string' && TIME.test(time) && areTexts;
}

function isSigned(head: UncheckedHead, keys: LedgerKeys): head is StoredHead {
  const { seq, hash, signature } = head;
  return (
    typeof seq === 'number' &&
    typeof hash === 'string' &&
    signHead({ seq, hash }, keys).signature === signature
  );
}

/** `line 5`, `lines 5 to 7`. */
const range = (first: number, last: number): string =>
  first === last ? `line ${first}` : `lines ${first} to ${last}`;

export interface VerifierFacts {
  readonly keys: LedgerKeys;
  /** Null if the ledger has none. */
  readonly head: UncheckedHead | null;
  /** A line that was noted earlier. */
  readonly mark?: LedgerMark;
}

/**
 * Verifies a ledger line by line, in constant memory. Without the keys, nobody can make a line or a head that passes.
 * It can't find that the whole file was replaced by an earlier copy; a mark that was noted elsewhere finds that.
 */
export class LedgerVerifier {
  private lines = 0;
  private first: StoredLine | null = null;
  private last: LedgerMark = NO_LINE;
  private checkpoint: LedgerMark = NO_LINE;
  private failure: LedgerVerification | null = null;

  constructor(private readonly facts: VerifierFacts) {
    const { head, keys } = facts;
    if (head && head.keyId !== keys.id)
      this.fail(
        'other_secret',
        1,
        'The ledger was written with another server secret, or its head was changed.',
      );
  }

  /** @param line  in the order of the sequence numbers @returns false when the rest need not be read */
  add(line: UncheckedLine): boolean {
    if (this.failure) return false;
    const next = this.last.seq + 1;
    if (!isReadable(line)) return this.fail('unreadable', next, `Line ${next} can't be read.`);
    this.checkLine(line, this.first ? next : line.seq);
    if (this.failure) return false;
    this.first ??= line;
    this.last = line;
    this.lines++;
    if (line.event.includes('"type":"checkpoint"')) this.readCheckpoint(line);
    return true;
  }

  /** The file can't be read any further. */
  giveUp(reason: string): void {
    this.fail('unreadable', this.last.seq + 1, `The file can't be read: ${reason}.`);
  }

  /** The lines can be read, but the rest of the database is damaged, for example its index by run. */
  reportFile(problem: string): void {
    this.fail('file', this.last.seq, `The lines are intact, but the database is damaged: ${problem}.`);
  }

  /** @returns the result, after the last line */
  end(): LedgerVerification {
    this.checkBeginning();
    this.checkHead();
    this.checkMark();
    const { lines, first, last } = this;
    if (this.failure) return this.failure;
    return {
      isIntact: true,
      lines,
      first: first?.seq ?? null,
      head: first ? { seq: last.seq, hash: last.hash } : null,
    };
  }

  private checkLine(line: StoredLine, expected: number): void {
    const { seq, hash, previous } = line;
    const { keys, mark } = this.facts;
    const before = seq - 1;
    if (seq > expected) this.fail('missing', expected, `Missing: ${range(expected, before)}.`);
    else if (hash !== lineHash(line, keys))
      this.fail('changed', seq, `Line ${seq} is not what the ledger wrote: it was changed, added or moved.`);
    else if (this.first && previous !== this.last.hash)
      this.fail('unlinked', seq, `Line ${seq} does not follow line ${before}.`);
    else if (seq === mark?.seq && hash !== mark.hash)
      this.fail('mark', seq, `Line ${seq} is not the line that was noted earlier.`);
  }

  private readCheckpoint({ event: text }: StoredLine): void {
    const event = readEvent(text);
    if (event?.type === 'checkpoint') this.checkpoint = { seq: event.removed_through, hash: event.hash };
  }

  /** A ledger begins with line 1, or with the line after the last checkpoint. */
  private checkBeginning(): void {
    if (!this.first) return;
    const removed = this.first.seq - 1;
    const { seq, hash } = this.checkpoint;
    if (seq === removed && hash === this.first.previous) return;
    if (removed < seq)
      this.fail(
        'added',
        removed + 1,
        `Put back after a checkpoint removed them: ${range(removed + 1, seq)}.`,
      );
    else {
      const from = Math.min(seq + 1, removed);
      this.fail('missing', from, `Removed without a checkpoint: ${range(from, removed)}.`);
    }
  }

  private checkHead(): void {
    const { head, keys } = this.facts;
    const { seq, hash } = this.last;
    if (!head) {
      if (this.first) this.fail('head', seq, 'The signed head is missing.');
      else
        this.fail(
          'cut',
          1,
          'There are no lines and no signed head: nothing was recorded yet, or all was removed.',
        );
      return;
    }
    if (!isSigned(head, keys)) this.fail('head', seq, 'The signed head was changed.');
    else if (head.seq > seq) this.fail('cut', seq + 1, `Removed from the end: ${range(seq + 1, head.seq)}.`);
    else if (head.seq < seq)
      this.fail('added', head.seq + 1, `The signed head says that line ${head.seq} is the last one.`);
    else if (head.hash !== hash) this.fail('head', seq, 'The signed head does not match the last line.');
  }

  private checkMark(): void {
    const { mark } = this.facts;
    if (mark && this.last.seq < mark.seq)
      this.fail(
        'mark',
        this.last.seq + 1,
        `The ledger ends before line ${mark.seq}, which was noted earlier.`,
      );
  }

  /** Only the first failure counts. */
  private fail(damage: LedgerDamage, badSeq: number, message: string): false {
    this.failure ??= { isIntact: false, lines: this.lines, badSeq, damage, message };
    return false;
  }
}
