import { Flag, Text, TOKEN } from '../setting.js';

/** The admin console. */
export class AdminConfig {
  @Text(
    'PITH_ADMIN_TOKEN',
    'Token for /admin and /metrics of the HTTP server. Both are off without it and without operators in PITH_ACCESS_FILE. On /mcp it makes the caller an operator.',
    TOKEN,
  )
  token = '';

  @Flag('PITH_ADMIN_REMOTE', 'Allow access to /admin and /metrics from other machines.')
  isRemote = false;

  @Flag('PITH_OPERATOR', 'Over STDIO: the caller is an operator and may read diagnostics.')
  isOperator = false;
}
