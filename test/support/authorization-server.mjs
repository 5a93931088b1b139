// A real authorization server (oidc-provider) that signs every user in as `ada` and consents to everything.
// node authorization-server.mjs RESOURCE, prints its address. Only the document of a client that names itself by its
// address (https://desk.example/client.json) is not read from the network, which cannot be had here.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [, , resource, format = 'jwt'] = process.argv;
const REDIRECT = 'http://127.0.0.1:9/callback';
const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const clientDocument = {
  client_id: 'https://desk.example/client.json',
  client_name: 'Desk',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

const provider = new Provider(issuer, {
  async fetch(url, options) {
    if (String(url) !== clientDocument.client_id) return globalThis.fetch(url, options);
    return new globalThis.Response(JSON.stringify(clientDocument), {
      headers: { 'content-type': 'application/json' },
    });
  },
  clients: [
    {
      client_id: 'registered',
      client_secret: 'secret',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    {
      client_id: 'robot',
      client_secret: 'robots-secret',
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
    },
    {
      client_id: 'pith',
      client_secret: 'piths-secret',
      redirect_uris: [],
      response_types: [],
      grant_types: [],
    },
  ],
  scopes: ['openid', 'offline_access', 'docs', 'docs:sections'],
  cookies: { keys: ['for tests'] },
  claims: { openid: ['sub'] },
  pkce: { required: () => true },
  async findAccount(_, id) {
    return { accountId: id, claims: async () => ({ sub: id }) };
  },
  async extraTokenClaims(_, token) {
    return { groups: [token.clientId === 'robot' ? 'robots' : 'harbour'] };
  },
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    introspection: { enabled: true, allowedPolicy: async () => true },
    revocation: { enabled: true },
    clientCredentials: { enabled: true },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_, wanted) => {
        if (wanted !== resource) throw new Error(`unknown resource ${wanted}`);
        return {
          scope: 'docs docs:sections',
          audience: resource,
          accessTokenFormat: format,
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        };
      },
    },
  },
});

async function interact(request, response) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope('openid offline_access docs docs:sections');
  grant.addResourceScope(resource, params.scope ?? '');
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

const answer = provider.callback();
server.on('request', (request, response) => {
  if (!request.url.startsWith('/interaction/')) return answer(request, response);
  interact(request, response).catch((error) => response.writeHead(500).end(String(error.stack)));
});
process.stdout.write(`${issuer}\n`);
