import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { DailyRemoval } from '../../governance/ledger/daily-removal.js';
import { Ledger } from '../../governance/ledger/ledger.js';
import { ScopeService } from '../../scope/scope.service.js';
import { RunJournal } from './run-journal.js';
import { RunStore } from './run-store.js';

/** Delay before events that killed processes or a failing ledger have left are looked for again (ms). */
const REPAIR_MS = 30_000;

/** Records events of runs; null if the server has no ledger. */
export const RUN_JOURNAL = {
  provide: RunJournal,
  inject: [RunStore, Ledger],
  useFactory: (store: RunStore, ledger: Ledger | null) => ledger && new RunJournal({ store, ledger }),
};

const warn = (message: string) => (error: unknown) => new Logger('runs').warn(`${message}: ${String(error)}`);

/** Records events that are missing in the run ledger, and removes old runs with the lines there. */
@Injectable()
export class RunMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private removal: DailyRemoval | null = null;
  private repairing: NodeJS.Timeout | null = null;

  constructor(
    private readonly store: RunStore,
    @Inject(RunJournal) private readonly journal: RunJournal | null,
    private readonly scopes: ScopeService,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { journal, store, scopes, config } = this;
    if (!journal || !config.domains.offered.includes('run')) return;
    void this.repair(journal);
    this.repairing = setInterval(() => void this.repair(journal), REPAIR_MS).unref();
    this.removal = new DailyRemoval({
      remove: async (beforeMs) => store.purge(await scopes.forOperators(Date.now()), beforeMs),
      days: config.ledger.retentionDays,
      onFailure: warn('old runs could not be removed'),
    }).start();
  }

  onApplicationShutdown(): void {
    this.removal?.stop();
    if (this.repairing) clearInterval(this.repairing);
    this.repairing = null;
  }

  private async repair(journal: RunJournal): Promise<void> {
    try {
      await journal.repair(await this.scopes.forOperators(Date.now()));
    } catch (error) {
      // The store is closed while the server stops.
      if (this.repairing) warn('events of runs could not be recorded')(error);
    }
  }
}
