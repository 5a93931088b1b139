import { ConsoleLogger } from '@nestjs/common';
import type { LogLevel } from '@nestjs/common';
import type { ServerConfig } from '../config/server.config.js';

const LEVELS: Readonly<Record<ServerConfig['logLevel'], LogLevel[]>> = {
  error: ['error', 'fatal'],
  warn: ['error', 'fatal', 'warn'],
  info: ['error', 'fatal', 'warn', 'log'],
  debug: ['error', 'fatal', 'warn', 'log', 'debug', 'verbose'],
};

/** Everything to stderr, one line each: over STDIO, stdout belongs to the protocol. */
export class StderrLogger extends ConsoleLogger {
  constructor(level: ServerConfig['logLevel']) {
    super({ colors: false, logLevels: LEVELS[level] });
  }

  protected override printMessages(messages: unknown[], context = '', level: LogLevel = 'log'): void {
    for (const message of messages) {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      process.stderr.write(`${level} ${context === '' ? '' : `[${context}] `}${text}\n`);
    }
  }
}
