import { LOG_LEVEL_META_KEY, type LoggingLevel, type ServerContext } from '@modelcontextprotocol/server';
import { plainLine } from '../text/plain-line.js';
import { clipText } from '../text/span.js';

/** From the least to the most serious. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LoggingLevel[];

/** How far a call is. */
export interface CallProgress {
  /** Grows from report to report. */
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Facts for the client: ids, codes and numbers, never texts of documents. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

const MAX_TOKEN = 256;
const MAX_MESSAGE = 200;
/** Max log messages of one call. */
const MAX_LOGS = 20;
/** Reports of progress that follow the last one sooner are left out (ms). */
const MIN_GAP_MS = 25;

const shown = (text: string): string => plainLine(clipText(text, MAX_MESSAGE));

function readToken(meta: unknown): string | number | null {
  const { progressToken }: Readonly<Record<string, unknown>> = Object(meta);
  if (typeof progressToken === 'number') return progressToken;
  return typeof progressToken === 'string' && progressToken.length <= MAX_TOKEN ? progressToken : null;
}

interface Client {
  readonly sdkContext: ServerContext;
  /** The level that the client has set; null if it has set none. Clients of 2026-07-28 send it with each request. */
  readonly level: LoggingLevel | null;
  /** Of the request. */
  readonly meta: unknown;
}

/**
 * Messages of a running call to its client before the answer: progress, if the request has a token for it, and log
 * messages, if the client has set a level.
 */
export class CallReports {
  private readonly token: string | number | null;
  private readonly level: LoggingLevel | null;
  private last = -Infinity;
  private lastAt = -Infinity;
  private logs = 0;
  private isOver = false;

  constructor(private readonly client: Client) {
    const { sdkContext, level, meta } = client;
    this.token = readToken(meta);
    // The SDK's types don't include the key.
    const sent: unknown = Object(sdkContext.mcpReq.envelope)[LOG_LEVEL_META_KEY];
    this.level = LOG_LEVELS.find((known) => known === sent) ?? level;
  }

  /** True if the client asked for progress. */
  get wantsProgress(): boolean {
    return this.token !== null;
  }

  /** Reports progress. Values that don't grow, and reports that come too fast, are left out. */
  progress({ progress, total, message }: CallProgress): void {
    const now = performance.now();
    if (this.isOver || this.token === null || !(progress > this.last)) return;
    if (now - this.lastAt < MIN_GAP_MS && progress !== total) return;
    [this.last, this.lastAt] = [progress, now];
    this.send('notifications/progress', {
      progressToken: this.token,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: shown(message) }),
    });
  }

  /** Sends a log message. */
  log(level: LoggingLevel, message: string, facts: LogFacts = {}): void {
    if (this.isOver || this.level === null || this.logs >= MAX_LOGS) return;
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.level)) return;
    this.logs++;
    this.send('notifications/message', {
      level,
      logger: 'pith',
      data: { message: shown(message), ...facts },
    });
  }

  /** Sends nothing more: the call is answered. */
  end(): void {
    this.isOver = true;
  }

  private send(method: 'notifications/progress' | 'notifications/message', params: object): void {
    const notification = { method, params } as Parameters<ServerContext['mcpReq']['notify']>[0];
    // If the client has gone, nobody misses the report.
    this.client.sdkContext.mcpReq.notify(notification).catch(() => undefined);
  }
}
