import {
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { DailyRemoval, PROCESS_CLOCK } from '../../governance/ledger/daily-removal.js';
import { Ledger } from '../../governance/ledger/ledger.js';
import { ScopeModule } from '../../scope/scope.module.js';
import { ScopeService } from '../../scope/scope.service.js';
import { SchemasModule } from '../schemas/schemas.module.js';
import { ChangeRunService } from './change-run.service.js';
import { FollowRunService } from './follow-run.service.js';
import { ReadRunService } from './read-run.service.js';
import { RunJournal } from './run-journal.js';
import { RunStore } from './run-store.js';
import { RUN_TOOLS } from './runs.tools.js';

/** Delay before events that killed processes or a failing ledger have left are looked for again (ms). */
const REPAIR_MS = 30_000;

const JOURNAL = {
  provide: RunJournal,
  inject: [RunStore, Ledger],
  useFactory: (store: RunStore, ledger: Ledger | null) =>
    ledger && new RunJournal({ store, ledger, now: Date.now }),
};

const warn = (message: string) => (error: unknown) => new Logger('runs').warn(`${message}: ${String(error)}`);

/** The tools of runs. It records events that are missing in the run ledger, and removes old runs with the lines there. */
@Module({
  imports: [ScopeModule, SchemasModule],
  controllers: [...RUN_TOOLS],
  providers: [JOURNAL, ChangeRunService, ReadRunService, FollowRunService],
})
export class RunsModule implements OnApplicationBootstrap, OnApplicationShutdown {
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
      clock: PROCESS_CLOCK,
      onFailure: warn('old runs could not be removed'),
    });
    this.removal.start();
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
