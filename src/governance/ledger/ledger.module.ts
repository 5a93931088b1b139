import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ServerSecret } from '../../config/server-secret.js';
import { PithError } from '../../core/errors.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { CallLedger } from './call-ledger.js';
import { DailyRemoval } from './daily-removal.js';
import { Ledger } from './ledger.js';
import { ledgerKeys } from './ledger-chain.js';
import { MAX_LEDGER_LINES } from './ledger-line.js';

/** Recorded in place of a hash if there is no file. */
const NO_FILE = 'none';
/** Queries for the last changes, so that the start does not read a large ledger as a whole. */
const MAX_QUERIES = 50;

interface Configured {
  readonly governance: Pick<Config['governance'], 'file' | 'agent'>;
  readonly http: Pick<Config['http'], 'accessFile'>;
}

const hashOf = (file: string, before = ''): string =>
  file === '' ? NO_FILE : createHash('sha256').update(before).update(readFileSync(file)).digest('base64url');

/** The version of each file. That of the governance file includes the agent. */
const versionsOf = ({ governance, http }: Configured): Readonly<Record<string, string>> => ({
  'governance.yaml': hashOf(governance.file, `${governance.agent}\n`),
  'access.yaml': hashOf(http.accessFile),
});

/** The versions that the last changes name, by file. Changes before the newest 50,000 lines are not found. */
async function lastVersions(ledger: Ledger, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let before = Number.MAX_SAFE_INTEGER;
  for (let queries = 0; queries < MAX_QUERIES && found.size < files.length; queries++) {
    const lines = await ledger.lines({ before, from: 'newest', limit: MAX_LEDGER_LINES });
    for (const { event } of lines.toReversed()) {
      // Other changes are acceptances of external tools.
      if (event.type !== 'configuration.changed' || !files.includes(event.what)) continue;
      if (!found.has(event.what)) found.set(event.what, event.after);
    }
    if (lines.length < MAX_LEDGER_LINES) break;
    before = lines[0]?.seq ?? 0;
  }
  return found;
}

/**
 * Records that a server uses another governance file, agent or access file than before.
 * @param only  the only file that was read, if it was not the start
 */
export async function noteConfiguration(ledger: Ledger, config: Configured, only?: string): Promise<void> {
  const versions = versionsOf(config);
  const files = only === undefined ? Object.keys(versions) : [only];
  const last = await lastVersions(ledger, files);
  const changes = files.flatMap((what) => {
    const after = versions[what] ?? NO_FILE;
    const before = last.get(what) ?? null;
    if (after === (before ?? NO_FILE)) return [];
    return [{ type: 'configuration.changed' as const, what, before, after }];
  });
  if (changes.length > 0) await ledger.append(changes, { durable: true });
}

const logger = new Logger('ledger');
const warnOf =
  (what: string) =>
  (error: unknown): void =>
    logger.warn(`${what}: ${String(error)}`);
/** With these failures, `auto` runs without a ledger. Others, such as damage, must not turn recording off. */
const NOT_OPENED = ['ledger_not_writable', 'ledger_incompatible'];

const PROVIDERS = [
  {
    provide: CallLedger,
    inject: [Ledger, ServerSecret],
    useFactory: (ledger: Ledger | null, { secret }: ServerSecret) =>
      ledger && new CallLedger(ledger, ledgerKeys(secret), warnOf('a call could not be recorded')),
  },
];

/** Reports finished calls to the ledger, before they return. */
export const LEDGER_OBSERVER = {
  provide: 'LEDGER_OBSERVER',
  inject: [CallLedger],
  useFactory: (ledger: CallLedger | null) =>
    ledger && { isPrompt: true, observe: (finished: FinishedCall): void => ledger.observe(finished) },
};

/** Records calls and configuration files, if there is a ledger, and removes old lines. */
@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class LedgerModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private removal: DailyRemoval | null = null;

  constructor(
    @Inject(Ledger) private readonly ledger: Ledger | null,
    private readonly config: Config,
    @Inject(CallLedger) private readonly calls: CallLedger | null,
  ) {}

  /** @throws BackendUnavailableError if the ledger is required and can't be used */
  async onApplicationBootstrap(): Promise<void> {
    const { ledger } = this;
    if (!ledger || !(await this.isUsable(ledger))) return;
    void this.noteConfiguration();
    // Lines are removed in transactions, and a process that finds no old ones appends nothing.
    this.removal = new DailyRemoval({
      remove: (beforeMs) => ledger.removeBefore(new Date(beforeMs).toISOString()),
      days: this.config.ledger.retentionDays,
      onFailure: warnOf('old lines could not be removed'),
    }).start();
  }

  /** Records changes of the configuration files since the last time. @param file  the only one that was read */
  async noteConfiguration(file?: string): Promise<void> {
    if (!this.ledger) return;
    const warn = warnOf('the configuration could not be recorded');
    await noteConfiguration(this.ledger, this.config, file).catch(warn);
  }

  /** Checks that the ledger can be continued. With `auto`, the recording is turned off if its file can't be opened. */
  private async isUsable(ledger: Ledger): Promise<boolean> {
    try {
      await ledger.append([], { durable: true });
      return true;
    } catch (error) {
      if (this.config.ledger.mode === 'on') throw error;
      if (error instanceof PithError && NOT_OPENED.includes(error.reason)) {
        this.calls?.turnOff();
        warnOf('Calls are not recorded')(error);
        return false;
      }
      warnOf("The run ledger can't be used now")(error);
      return true;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.removal?.stop();
    await this.calls?.settled();
    await this.ledger?.close();
  }
}
