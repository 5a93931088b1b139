import { statSync } from 'node:fs';
import { closeStore } from '../../../sqlite/close-store.js';
import type { Database } from '../../../sqlite/driver.js';
import { transact } from '../../../sqlite/in-transaction.js';
import { chainLines, type LedgerEntry, NO_LINE, signHead } from '../ledger-chain.js';
import type { LedgerKeys } from '../ledger-keys.js';
import type { LedgerLine, LedgerMark, LedgerQuery, RunPage, RunQuery } from '../ledger-line.js';
import { checkpointAfter, type LedgerFailures, linesToRemove, trustedHead } from './continue-ledger.js';
import { failuresOf, ledgerFailure } from './ledger-failures.js';
import { storedLine } from './ledger-row.js';
import { lastMark, readHead, readLines, readRows, writeHead, writeLines } from './ledger-rows.js';
import { readRuns } from './ledger-runs.js';
import type { Removal } from './ledger-store.js';

export interface LedgerPlace {
  readonly file: string;
  readonly keys: LedgerKeys;
  /** Opens the file, to write or only to read. */
  readonly open: (file: string) => Database;
  /** True if `verify` also checks the pages of the file. Nothing else runs in the thread meanwhile. */
  readonly checksFile?: boolean;
}

interface Removed {
  readonly removed: number;
  readonly last: LedgerMark;
}

/**
 * One ledger file. It may be open in several processes: each append reads the head and writes the new lines in one
 * transaction. If the file is moved away while it is open, it can't be used until the process starts anew.
 */
export class LedgerFile {
  private database: Database | null = null;
  private openedAs = '';
  /** The last line that this process has seen. A file without it is not the same ledger. */
  private seen: LedgerMark = NO_LINE;
  private readonly failures: LedgerFailures;

  constructor(private readonly place: LedgerPlace) {
    this.failures = failuresOf(place.file);
  }

  append(entries: readonly LedgerEntry[], isDurable: boolean): void {
    this.use((database) => {
      database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
      this.seen = transact(database, () => this.write(database, entries));
    });
  }

  head(): LedgerMark | null {
    return this.use(lastMark);
  }

  lines(query: LedgerQuery): LedgerLine[] {
    return this.use((database) => readLines(database, this.place.file, query));
  }

  runs(query: RunQuery): RunPage {
    return this.use((database) => readRuns(database, query));
  }

  remove(removal: Removal): number {
    return this.use((database) => {
      database.exec('PRAGMA synchronous = FULL');
      const { removed, last } = transact(database, () => this.removeLines(database, removal));
      this.seen = last;
      return removed;
    });
  }

  close(): void {
    const { database } = this;
    this.database = null;
    if (database) closeStore(database);
  }

  private use<T>(work: (database: Database) => T): T {
    const { file } = this.place;
    try {
      return work(this.current());
    } catch (error) {
      throw ledgerFailure(file, error);
    }
  }

  /** The open database; reopened if its path has another file. */
  private current(): Database {
    const { file, open } = this.place;
    const identity = this.identity();
    if (this.database && identity === this.openedAs) return this.database;
    this.close();
    if (identity === '' && this.seen.seq > NO_LINE.seq) throw this.failures.damaged('the file is gone');
    this.database = open(file);
    this.openedAs = this.identity();
    return this.database;
  }

  private identity(): string {
    const seen = statSync(this.place.file, { throwIfNoEntry: false });
    return seen ? `${seen.dev}:${seen.ino}` : '';
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

  private removeLines(database: Database, { before, limit, time }: Removal): Removed {
    const { keys } = this.place;
    const lines = readRows(database, 0, limit).map(storedLine);
    const old = linesToRemove(lines, { before, keys }, this.failures);
    const through = old.at(-1);
    if (!through) return { removed: 0, last: this.seen };
    const last = this.write(database, [checkpointAfter(through, time)]);
    database.prepare('DELETE FROM line WHERE seq <= ?').run(through.seq);
    return { removed: old.length, last };
  }
}
