import {
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import { GovernanceConfig } from '../../config/settings/governance.config.js';
import { LedgerConfig } from '../../config/settings/ledger.config.js';
import { Ledger } from '../../core/ports/ledger.port.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { CallLedger } from './call-ledger.js';
import { ledgerKeys } from './ledger-keys.js';
import { noteConfiguration } from './note-configuration.js';

const DAY_MS = 86_400_000;

const logger = new Logger('ledger');
const warn = (error: unknown): void => logger.warn(`a call could not be recorded: ${String(error)}`);

const PROVIDERS = [
  {
    provide: CallLedger,
    inject: [Ledger, ServerSecret],
    useFactory: (ledger: Ledger | null, { secret }: ServerSecret) =>
      ledger && new CallLedger(ledger, ledgerKeys(secret), warn),
  },
];

/** Tells the ledger of finished calls. */
export const LEDGER_OBSERVER = {
  provide: 'LEDGER_OBSERVER',
  inject: [CallLedger],
  useFactory: (ledger: CallLedger | null) => ({
    observe: (finished: FinishedCall): void => ledger?.observe(finished),
  }),
};

/** Records calls and the governance file, if there is a ledger, and removes old lines at the start. */
@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class LedgerModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(Ledger) private readonly ledger: Ledger | null,
    private readonly config: LedgerConfig,
    private readonly governance: GovernanceConfig,
  ) {}

  /** @throws BackendUnavailableError if the ledger is required and can't be used */
  async onApplicationBootstrap(): Promise<void> {
    const { ledger } = this;
    if (!ledger) return;
    if (this.config.mode === 'on') await ledger.head();
    noteConfiguration(ledger, this.governance.file).catch(warn);
    const { retentionDays } = this.config;
    if (retentionDays === 0) return;
    const before = new Date(Date.now() - retentionDays * DAY_MS).toISOString();
    ledger.removeBefore(before).catch(warn);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.ledger?.close();
  }
}
