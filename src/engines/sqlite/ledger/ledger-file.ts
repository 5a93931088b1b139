import { statSync } from 'node:fs';
import type { LedgerLine, LedgerMark } from '../../../core/ledger/ledger-line.js';
import type { RunPage } from '../../../core/ledger/ledger-run.js';
import type { LedgerQuery, RunQuery } from '../../../core/ports/ledger.port.js';
import { eventText } from '../../../governance/ledger/event-text.js';
import {
  chainLines,
  type LedgerEntry,
  lineHash,
  NO_LINE,
  signHead,
  type StoredLine,
} from '../../../governance/ledger/ledger-chain.js';
import type { LedgerKeys } from '../../../governance/ledger/ledger-keys.js';
import type { Database } from '../driver.js';
import { inTransaction } from '../in-transaction.js';
import { ledgerDamaged, ledgerFailure, ledgerOfAnotherSecret } from './ledger-failures.js';
import { lastMark, readHead, readLines, readRows, storedLine, writeHead, writeLines } from './ledger-rows.js';
import { readRuns } from './ledger-runs.js';

export interface LedgerPlace {
  readonly file: string;
  readonly keys: LedgerKeys;
  /** Opens the file, to write or only to read. */
  readonly open: (file: string) => Database;
  /** True if `verify` also checks the pages of the file. Nothing else runs in the thread meanwhile. */
  readonly checksFile?: boolean;
}

/** A removal of old lines by retention. */
export interface Removal {
  /** Lines before the first one that is not older than this are removed. */
  readonly before: string;
  /** Most lines to remove at once, so that other processes need not wait for long. */
  readonly limit: number;
  /** Time of the checkpoint; ISO-8601, UTC. */
  readonly time: string;
}

interface Removed {
  readonly removed: number;
  readonly last: LedgerMark;
}

/**
 * One ledger file. It may be open in several processes: each append reads the head and writes the new lines in one
 * transaction. If the file is moved away, the next append starts a new ledger.
 */
export class LedgerFile {
  private database: Database | null = null;
  private openedAs = '';
  private seen: LedgerMark = NO_LINE;

  constructor(private readonly place: LedgerPlace) {}

  /** Appends lines, all or none. No lines: only checks that lines can follow the head. @param isDurable  waits until the disk has them */
  append(entries: readonly LedgerEntry[], isDurable: boolean): void {
    this.use((database) => {
      database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
      this.seen = inTransaction(database, () => this.write(database, entries));
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

  /**
   * Removes old lines and appends a checkpoint. Lines that do not verify are kept.
   * @returns number of lines that were removed
   */
  remove(removal: Removal): number {
    return this.use((database) => {
      database.exec('PRAGMA synchronous = FULL');
      const { removed, last } = inTransaction(database, () => this.removeLines(database, removal));
      this.seen = last;
      return removed;
    });
  }

  close(): void {
    const { database } = this;
    this.database = null;
    this.seen = NO_LINE;
    database?.close();
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
    if (this.database && this.identity() === this.openedAs) return this.database;
    this.close();
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

  /** The head that the next line follows. @throws BackendUnavailableError `ledger_damaged`, `ledger_other_secret` */
  private trustedHead(database: Database): LedgerMark {
    const { file, keys } = this.place;
    const stored = readHead(database);
    if (!stored) {
      if (this.seen === NO_LINE && !lastMark(database)) return NO_LINE;
      throw ledgerDamaged(file, 'its head is missing');
    }
    if (stored.keyId !== keys.id) throw ledgerOfAnotherSecret(file);
    const head = { seq: Number(stored.seq), hash: String(stored.hash) };
    if (signHead(head, keys).signature !== stored.signature)
      throw ledgerDamaged(file, 'its head was changed');
    if (head.seq < this.seen.seq) throw ledgerDamaged(file, `lines after line ${head.seq} were removed`);
    return head;
  }

  private removeLines(database: Database, { before, limit, time }: Removal): Removed {
    const lines = readRows(database, 0, limit).map(storedLine);
    const kept = lines.findIndex((line) => line.time >= before);
    const old = kept === -1 ? lines : lines.slice(0, kept);
    const through = old.at(-1);
    if (!through) return { removed: 0, last: this.seen };
    this.check(old);
    const event = eventText({ type: 'checkpoint', removed_through: through.seq, hash: through.hash });
    const last = this.write(database, [{ time, event }]);
    database.prepare('DELETE FROM line WHERE seq <= ?').run(through.seq);
    return { removed: old.length, last };
  }

  private check(lines: readonly StoredLine[]): void {
    const { file, keys } = this.place;
    const bad = lines.find(
      (line, i) => lineHash(line, keys) !== line.hash || (i > 0 && line.previous !== lines[i - 1]?.hash),
    );
    if (bad) throw ledgerDamaged(file, `line ${bad.seq} is not what the ledger wrote`);
  }
}
