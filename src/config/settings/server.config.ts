import { Choice, Flag, Text } from '../setting.js';

/** The process itself. */
export class ServerConfig {
  @Text(
    'PITH_SECRET',
    'Key that signs cursors and passage ids. All replicas need the same one. Empty: a generated key in a file beside the index.',
    { secret: true, takes: 'empty, or at least 32 characters', pattern: /^$|^.{32,}$/ },
  )
  secret = '';

  @Choice('PITH_LOG_LEVEL', 'Lowest level of messages written to stderr.', ['error', 'warn', 'info', 'debug'])
  logLevel: 'error' | 'warn' | 'info' | 'debug' = 'warn';

  @Flag('MCP_NO_LOG', 'Log only failed calls, with code and reason: no causes, no figures, no ids.')
  noLog = false;
}
