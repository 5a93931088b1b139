import { Choice, Flag, Text } from './setting.js';

/** The process itself. */
export class ServerConfig {
  @Text(
    'PITH_SECRET',
    'Signs cursors and passage ids; replicas share it. Empty: the file beside the index.',
    {
      secret: true,
      takes: 'empty, or 32 and more characters',
      pattern: /^$|^.{32,}$/,
    },
  )
  secret = '';

  @Choice('PITH_LOG_LEVEL', 'What reaches stderr.', ['error', 'warn', 'info', 'debug'])
  logLevel: 'error' | 'warn' | 'info' | 'debug' = 'warn';

  @Flag(
    'MCP_NO_LOG',
    'Write down of calls only that they failed, with code and reason: no cause, no figures, no ids.',
  )
  noLog = false;
}
