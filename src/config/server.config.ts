import { Choice, Text } from './setting.js';

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
}
