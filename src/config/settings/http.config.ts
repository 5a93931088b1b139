import { Choice, Count, List, Text, TOKEN } from '../setting.js';

/** The HTTP server. */
export class HttpConfig {
  @Text(
    'PITH_HTTP_HOST',
    'Address to listen on. Any address other than loopback requires PITH_HTTP_TOKEN or PITH_ACCESS_FILE.',
  )
  host = '127.0.0.1';

  @Count('PITH_HTTP_PORT', 'Port to listen on. 0 chooses a free port.', { min: 0, max: 65_535 })
  port = 7484;

  @Text(
    'PITH_HTTP_TOKEN',
    'Bearer token that callers must send. All callers with this token are one principal.',
    TOKEN,
  )
  token = '';

  @Text(
    'PITH_ACCESS_FILE',
    'YAML file with principals, their keys, permissions and scopes. Requests without a key or token are then refused.',
    { takes: 'path' },
  )
  accessFile = '';

  @Text(
    'PITH_AUDIT_FILE',
    'File for refused requests and calls and for what operators do, as JSON lines. Empty: no such file.',
    { takes: 'path' },
  )
  auditFile = '';

  @List('PITH_HTTP_ALLOWED_HOSTS', 'Host names accepted in the Host header, besides the loopback names.')
  allowedHosts: string[] = [];

  @List('PITH_HTTP_ALLOWED_ORIGINS', 'Host names accepted in the Origin header, besides the loopback names.')
  allowedOrigins: string[] = [];

  @Text(
    'PITH_HTTP_TLS_CERT',
    'PEM file with the certificate of the server and its chain. With it, the server speaks HTTPS.',
    { takes: 'path' },
  )
  tlsCert = '';

  @Text('PITH_HTTP_TLS_KEY', 'PEM file with the private key of the certificate.', { takes: 'path' })
  tlsKey = '';

  @List(
    'PITH_HTTP_TRUSTED_PROXIES',
    'Addresses and networks of proxies whose X-Forwarded-For names the caller, such as 10.0.0.5, 10.1.0.0/16 or loopback.',
  )
  trustedProxies: string[] = [];

  @Choice(
    'PITH_SEARCH_PAGE',
    'The search page at / and the reader of documents at /read. on: for callers of the tools. public: also for visitors without a key, who see the documents without groups and call no tool themselves; it needs PITH_HTTP_TOKEN or PITH_ACCESS_FILE.',
    ['on', 'public', 'off'],
  )
  searchPage: 'on' | 'public' | 'off' = 'on';

  @List(
    'PITH_PUBLIC_DOC_TAGS',
    'With PITH_SEARCH_PAGE=public: visitors see only documents with these tags. Empty: all.',
  )
  publicDocTags: string[] = [];

  @Count(
    'PITH_PUBLIC_PER_MINUTE',
    'With PITH_SEARCH_PAGE=public: pages that visitors from one address (IPv6: one /64 network) can open in a minute.',
    { min: 1, max: 100_000 },
  )
  publicPerMinute = 60;

  @Count('PITH_HTTP_BODY_BYTES', 'Largest request body (bytes).', { min: 1024, max: 16_777_216 })
  bodyBytes = 1_048_576;

  @Count('PITH_HTTP_SHUTDOWN_MS', 'How long running calls may take to finish at shutdown (ms).', {
    min: 0,
    max: 60_000,
  })
  shutdownMs = 5_000;
}
