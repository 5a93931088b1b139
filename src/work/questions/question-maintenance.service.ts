import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { QuestionsConfig } from '../../config/settings/questions.config.js';
import { hasWebhook } from '../../governance/approvals/approvals.module.js';
import { DailyRemoval } from '../../governance/ledger/daily-removal.js';
import type { CallObserver } from '../../mcp/pipeline/call-watch.js';
import { ScopeService } from '../../scope/scope.service.js';
import { GapsService } from './gaps.service.js';
import { QuestionRecorder } from './question-recorder.js';
import { QuestionStore } from './question-store.js';
import { WeeklySummary } from './weekly-summary.service.js';

/** Delay before new questions and changed documents are looked for again (ms). */
const REFRESH_MS = 60_000;

/** Keeps the questions of a server; null if it keeps none. */
export const QUESTION_OBSERVER = {
  provide: 'QUESTION_OBSERVER',
  inject: [QuestionRecorder],
  useFactory: (recorder: QuestionRecorder | null): CallObserver | null => recorder,
};

/** Null if no summary is wanted. */
export const WEEKLY_SUMMARY = {
  provide: WeeklySummary,
  inject: [Config, QuestionStore, GapsService],
  useFactory: (
    { questions, approvalWebhook }: Config,
    store: QuestionStore,
    gaps: GapsService,
  ): WeeklySummary | null => {
    if (questions.summary === 'off' || questions.mode === 'off') return null;
    if (!hasWebhook(approvalWebhook))
      throw new InvalidConfigurationError([
        'PITH_QUESTIONS_SUMMARY=weekly needs PITH_APPROVAL_WEBHOOK_URL and PITH_APPROVAL_WEBHOOK_SECRET.',
      ]);
    const onFailure = (message: string): void => new Logger('questions').warn(message);
    return new WeeklySummary(approvalWebhook, { store, gaps, onFailure, now: Date.now });
  },
};

/** The parts that the upkeep of questions needs. */
@Injectable()
export class QuestionParts {
  constructor(
    readonly store: QuestionStore,
    readonly gaps: GapsService,
    @Inject(WeeklySummary) readonly summary: WeeklySummary | null,
  ) {}
}

/** Puts the questions that a server keeps into gaps, asks open ones again after an index run, and removes old ones. */
@Injectable()
export class QuestionMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private removal: DailyRemoval | null = null;
  private refreshing: NodeJS.Timeout | null = null;
  private isBusy = false;

  constructor(
    @Inject(QuestionRecorder) private readonly recorder: QuestionRecorder | null,
    private readonly parts: QuestionParts,
    private readonly scopes: ScopeService,
    private readonly config: QuestionsConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.recorder) return;
    this.refreshing = setInterval(() => void this.refresh(), REFRESH_MS).unref();
    this.removal = new DailyRemoval({
      remove: async (beforeMs) =>
        this.parts.store.purge(await this.scopes.forOperators(Date.now()), beforeMs),
      days: this.config.retentionDays,
      onFailure: (error) =>
        new Logger('questions').warn(`old questions could not be removed: ${String(error)}`),
    }).start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.removal?.stop();
    if (this.refreshing) clearInterval(this.refreshing);
    this.refreshing = null;
    await this.parts.summary?.close();
    await this.recorder?.flush();
  }

  private async refresh(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      const [now, { gaps, summary }] = [Date.now(), this.parts];
      const server = await this.scopes.forOperators(now);
      await gaps.refresh(server, now);
      await summary?.sendDue(server, now);
    } catch (error) {
      // The index may not be there yet, and the store is closed while the server stops.
      if (this.refreshing) new Logger('questions').debug(`gaps were not refreshed: ${String(error)}`);
    } finally {
      this.isBusy = false;
    }
  }
}
