import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../sqlite/driver.js';
import { messageOf } from '../../../sqlite/open-database.js';
import type { LedgerEntry } from '../ledger-chain.js';
import type {
  LedgerLine,
  LedgerMark,
  LedgerQuery,
  LedgerVerification,
  RunPage,
  RunQuery,
} from '../ledger-line.js';
import { LedgerVerifier } from '../ledger-verifier.js';
import { ledgerFailure } from './ledger-failures.js';
import { LedgerFile, type LedgerPlace } from './ledger-file.js';
import { uncheckedLine } from './ledger-row.js';
import { readHead, readRows } from './ledger-rows.js';
import type { LedgerStore, Removal } from './ledger-store.js';
import { openLedgerToRead } from './open-ledger-file.js';

/** Lines that are verified before other tasks get a turn. */
const SLICE = 2_000;

/** Works on the file in this thread. */
export class LocalLedgerStore implements LedgerStore {
  private readonly ledger: LedgerFile;

  constructor(private readonly place: LedgerPlace) {
    this.ledger = new LedgerFile(place);
  }

  async append(entries: readonly LedgerEntry[], isDurable: boolean): Promise<void> {
    this.ledger.append(entries, isDurable);
  }

  async head(): Promise<LedgerMark | null> {
    return this.ledger.head();
  }

  async lines(query: LedgerQuery): Promise<LedgerLine[]> {
    return this.ledger.lines(query);
  }

  async runs(query: RunQuery): Promise<RunPage> {
    return this.ledger.runs(query);
  }

  async remove(removal: Removal): Promise<number> {
    return this.ledger.remove(removal);
  }

  /** Reads one snapshot on a connection of its own, so that appending continues. */
  async verify(mark?: LedgerMark): Promise<LedgerVerification> {
    const { file } = this.place;
    const database = this.openSnapshot(file);
    try {
      return await this.verified(database, mark);
    } catch (error) {
      throw ledgerFailure(file, error);
    } finally {
      database.close();
    }
  }

  async close(): Promise<void> {
    this.ledger.close();
  }

  private openSnapshot(file: string): Database {
    try {
      return openLedgerToRead(file);
    } catch (error) {
      throw ledgerFailure(file, error);
    }
  }

  private async verified(database: Database, mark: LedgerMark | undefined): Promise<LedgerVerification> {
    database.exec('BEGIN');
    const verifier = new LedgerVerifier({ keys: this.place.keys, head: readHead(database), mark });
    try {
      for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null; await nextTurn())
        after = verifySlice(database, verifier, after);
      if (this.place.checksFile) checkFile(database, verifier);
    } catch (error) {
      verifier.giveUp(messageOf(error));
    }
    return verifier.end();
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
