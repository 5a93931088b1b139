import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '../../governance/ledger/ledger.js';
import { isRunEvent, type RunEvent } from '../../governance/ledger/ledger-event.js';
import type { WorkSpace } from '../work-space.js';
import type { RunStore } from './run-store.js';

/** Lease on a run's pending events (ms); renewed while the holder writes. */
const LEASE_MS = 3_000;
/** Delay before events that somebody else records are looked at again (ms). */
const RETRY_MS = 20;
/** Lines of a run that are read at once. */
const LINES = 50;

interface JournalParts {
  readonly store: Pick<RunStore, 'lease' | 'recorded' | 'release' | 'waiting'>;
  readonly ledger: Pick<Ledger, 'append' | 'lines'>;
}

/**
 * Records the events of runs in the run ledger. A change of a run and its event are stored in one transaction; the event
 * waits there until it is in the ledger. A call that changed a run is answered after that. Whoever comes next, or the
 * next server, records what a killed process has left.
 *
 * ```text
 * store: state + event ── ledger: event, durable ── store: forget event ── answer
 *                      ↑ killed: recorded later   ↑ killed: found in the ledger, only forgotten
 * ```
 */
export class RunJournal {
  constructor(private readonly parts: JournalParts) {}

  /** Resolves when the ledger has every event of a run so far. @throws BackendUnavailableError */
  async settle(runId: string): Promise<void> {
    const by = randomUUID();
    for (;;) {
      const events = await this.lease(runId, by);
      if (events === null) return;
      if (events.length > 0) await this.record(runId, events, by);
      else await pause(RETRY_MS);
    }
  }

  /** Records what killed processes have left. @throws BackendUnavailableError */
  async repair(place: WorkSpace): Promise<void> {
    for (const runId of await this.parts.store.waiting(place)) await this.settle(runId);
  }

  private lease(runId: string, by: string): Promise<readonly RunEvent[] | null> {
    return this.parts.store.lease(runId, by, LEASE_MS);
  }

  private async record(runId: string, events: readonly RunEvent[], by: string): Promise<void> {
    const { store, ledger } = this.parts;
    const extending = setInterval(() => {
      // Without the extension, the event may be recorded twice, with one number.
      this.lease(runId, by).catch(() => undefined);
    }, LEASE_MS / 3).unref();
    try {
      const last = await this.lastRecorded(runId);
      const missing = events.filter(({ number }) => number > last);
      if (missing.length > 0) await ledger.append(missing, { durable: true });
      await store.recorded(runId, events.at(-1)?.number ?? 0);
    } catch (error) {
      await store.release(runId, by).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(extending);
    }
  }

  /** The number of the last event of a run in the ledger; 0 for none. */
  private async lastRecorded(runId: string): Promise<number> {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const lines = await this.parts.ledger.lines({ runId, before, from: 'newest', limit: LINES });
      const last = lines.map(({ event }) => event).findLast(isRunEvent);
      if (last) return last.number;
      const [oldest] = lines;
      if (!oldest || lines.length < LINES) return 0;
      before = oldest.seq;
    }
  }
}
