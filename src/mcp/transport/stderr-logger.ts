import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { ServerConfig } from '../../config/settings/server.config.js';
import { tell, tellForeign } from '../../core/stderr.js';

const LEVELS: Readonly<Record<ServerConfig['logLevel'], LogLevel[]>> = {
  error: ['error', 'fatal'],
  warn: ['error', 'fatal', 'warn'],
  info: ['error', 'fatal', 'warn', 'log'],
  debug: ['error', 'fatal', 'warn', 'log', 'debug', 'verbose'],
};

/** Contexts of our own loggers, which log no call content under MCP_NO_LOG; '' is used during start-up. */
const OWN = new Set(['', 'pith', 'diagnostics', 'telemetry', 'scratch', 'inner_voice']);

const NEST_FAILURES = new Set(['ExceptionHandler', 'NestApplication']);

function asText(message: unknown): string {
  if (typeof message === 'string') return message;
  return message instanceof Error ? (message.stack ?? message.message) : JSON.stringify(message);
}

/** Logs to stderr, one line per message: over STDIO, stdout belongs to the protocol. */
export class StderrLogger extends ConsoleLogger {
  constructor(level: ServerConfig['logLevel']) {
    super({ colors: false, logLevels: LEVELS[level] });
  }

  /** Drops Nest's log of a failed start and of an address that can't be listened on, which the command line reports. */
  override error(message: unknown, ...rest: unknown[]): void {
    // The bundler may put an underscore before the name of a class.
    const context = String(rest.at(-1)).replace(/^_/, '');
    if (!NEST_FAILURES.has(context)) super.error(message, ...rest);
  }

  protected override printMessages(messages: unknown[], context = '', level: LogLevel = 'log'): void {
    const write = OWN.has(context) ? tell : tellForeign;
    for (const message of messages)
      write(`${level} ${context === '' ? '' : `[${context}] `}${asText(message)}`);
  }

  protected override printStackTrace(stack: unknown): void {
    if (stack) tellForeign(asText(stack));
  }
}
