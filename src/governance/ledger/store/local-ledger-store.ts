import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../sqlite/driver.js';
import { transact } from '../../../sqlite/in-transaction.js';
import { messageOf } from '../../../sqlite/open-database.js';
import { ReopenedFile } from '../../../sqlite/stores/sqlite-database.js';
import { chainLines, type LedgerEntry, type LedgerKeys, NO_LINE, signHead } from '../ledger-chain.js';
import type {
  LedgerLine,
  LedgerMark,
  LedgerQuery,
  LedgerVerification,
  RunPage,
  RunQuery,
} from '../ledger-line.js';
import { LedgerVerifier } from '../ledger-verifier.js';
import { checkpointAfter, type LedgerFailures, linesToRemove, trustedHead } from './continue-ledger.js';
import { failuresOf, ledgerFailure } from './ledger-failures.js';
import { storedLine, uncheckedLine } from './ledger-row.js';
import { lastMark, readHead, readLines, readRows, readRuns, writeHead, writeLines } from './ledger-rows.js';
import type { LedgerStore, Removal } from './ledger-store.js';
import { openLedgerToRead } from './open-ledger-file.js';

/** Lines that are verified before other tasks get a turn. */
const SLICE = 2_000;

export interface LedgerPlace {
  readonly file: string;
  readonly keys: LedgerKeys;
  /** Opens the file, to write or only to read. */
  readonly open: (file: string) => Database;
  /** True if `verify` also checks the pages of the file. Nothing else runs in the thread meanwhile. */
  readonly checksFile?: boolean;
}

/**
 * One ledger file, in this thread. It may be open in several processes: each append reads the head and writes the new lines
 * in one transaction. If the file is moved away while it is open, it can't be used until the process starts anew.
 */
export class LocalLedgerStore implements LedgerStore {
  private readonly opened: ReopenedFile;
  /** The last line that this process has seen. A file without it is not the same ledger. */
  private seen: LedgerMark = NO_LINE;
  private readonly failures: LedgerFailures;

  constructor(private readonly place: LedgerPlace) {
    this.failures = failuresOf(place.file);
    this.opened = new ReopenedFile(place.file, (exists) => {
      if (!exists && this.seen.seq > NO_LINE.seq) throw this.failures.damaged('the file is gone');
      return place.open(place.file);
    });
  }

  async append(entries: readonly LedgerEntry[], isDurable: boolean): Promise<void> {
    this.use((database) => {
      database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
      this.seen = transact(database, () => this.write(database, entries));
    });
  }

  async head(): Promise<LedgerMark | null> {
    return this.use(lastMark);
  }

  async lines(query: LedgerQuery): Promise<LedgerLine[]> {
    return this.use((database) => readLines(database, this.place.file, query));
  }

  async runs(query: RunQuery): Promise<RunPage> {
    return this.use((database) => readRuns(database, query));
  }

  async remove({ before, limit, time }: Removal): Promise<number> {
    const { keys } = this.place;
    return this.use((database) => {
      database.exec('PRAGMA synchronous = FULL');
      const { removed, last } = transact(database, () => {
        const lines = readRows(database, 0, limit).map(storedLine);
        const old = linesToRemove(lines, { before, keys }, this.failures);
        const through = old.at(-1);
        if (!through) return { removed: 0, last: this.seen };
        const checkpoint = this.write(database, [checkpointAfter(through, time)]);
        database.prepare('DELETE FROM line WHERE seq <= ?').run(through.seq);
        return { removed: old.length, last: checkpoint };
      });
      this.seen = last;
      return removed;
    });
  }

  /** Reads one snapshot on a connection of its own, so that appending continues. */
  async verify(mark?: LedgerMark): Promise<LedgerVerification> {
    const { file, keys, checksFile } = this.place;
    let database: Database | null = null;
    try {
      database = openLedgerToRead(file);
      database.exec('BEGIN');
      const verifier = new LedgerVerifier({ keys, head: readHead(database), mark });
      try {
        for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null; await nextTurn())
          after = verifySlice(database, verifier, after);
        if (checksFile) checkFile(database, verifier);
      } catch (error) {
        verifier.giveUp(messageOf(error));
      }
      return verifier.end();
    } catch (error) {
      throw ledgerFailure(file, error);
    } finally {
      database?.close();
    }
  }

  async close(): Promise<void> {
    this.opened.close();
  }

  private use<T>(work: (database: Database) => T): T {
    const { file } = this.place;
    try {
      return work(this.opened.current());
    } catch (error) {
      throw ledgerFailure(file, error);
    }
  }

  private write(database: Database, entries: readonly LedgerEntry[]): LedgerMark {
    const { keys } = this.place;
    const head = this.trustedHead(database);
    if (entries.length === 0) return head;
    const lines = chainLines(entries, head, keys);
    writeLines(database, lines);
    const last = lines.at(-1) ?? head;
    writeHead(database, signHead(last, keys));
    return last;
  }

  private trustedHead(database: Database): LedgerMark {
    const { seen } = this;
    const head = readHead(database);
    const hasOnlyLines = !head && lastMark(database) !== null;
    return trustedHead({ head, hasOnlyLines, seen }, this.place.keys, this.failures);
  }
}

/** Compares the index by run with the lines, among others. */
function checkFile(database: Database, verifier: LedgerVerifier): void {
  const problem = String(database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']);
  if (problem !== 'ok') verifier.reportFile(problem);
}

/** @returns the last sequence number, or null if no further line has to be read */
function verifySlice(database: Database, verifier: LedgerVerifier, after: number): number | null {
  const rows = readRows(database, after, SLICE);
  const isGood = rows.every((row) => verifier.add(uncheckedLine(row)));
  return isGood && rows.length === SLICE ? Number(rows.at(-1)?.['seq']) : null;
}
