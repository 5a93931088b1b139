import { Flag, Text } from './setting.js';

/** The operator's door. */
export class AdminConfig {
  @Text(
    'PITH_ADMIN_TOKEN',
    'Token for /admin and /metrics of the HTTP server; without one they do not exist. On /mcp it makes the caller an operator.',
    {
      secret: true,
      takes: 'empty, or 16 and more printable characters',
      pattern: /^$|^[\x21-\x7e]{16,}$/,
    },
  )
  token = '';

  @Flag('PITH_ADMIN_REMOTE', 'Answer /admin and /metrics to other machines, too.')
  isRemote = false;

  @Flag('PITH_OPERATOR', 'Over STDIO: whoever runs the process is an operator and may ask for diagnostics.')
  isOperator = false;
}
