import { Flag, Text } from '../setting.js';

/** Notifications about calls that wait for approval, and decisions by other systems. */
export class ApprovalWebhookConfig {
  @Text(
    'PITH_APPROVAL_WEBHOOK_URL',
    'URL that receives a POST for each call that waits for approval or is reported by a rule. Needs PITH_APPROVAL_WEBHOOK_SECRET.',
    {
      // The path of such a URL often contains a token.
      secret: true,
      takes: 'empty, an https URL, or an http URL of this machine',
      pattern: /^$|^https:\/\/[^\s@]+$|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?][^\s]*)?$/,
    },
  )
  url = '';

  @Text(
    'PITH_APPROVAL_WEBHOOK_SECRET',
    'Signs notifications, and checks decisions that are sent to /approvals/webhook. Without it, both are off.',
    {
      secret: true,
      takes: 'empty, or whsec_ and 24 to 64 bytes in base64',
      pattern: /^$|^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
    },
  )
  secret = '';

  @Flag('PITH_APPROVAL_WEBHOOK_ARGUMENTS', 'Notifications contain the arguments of the call.')
  hasArguments = false;

  @Text(
    'PITH_APPROVAL_LINK_BASE',
    'Base URL at which operators reach this server, for the links in notifications.',
    { takes: 'empty, or a URL such as https://pith.example.com', pattern: /^$|^https?:\/\/[^\s@?#]+$/ },
  )
  linkBase = '';
}
