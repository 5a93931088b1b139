import { accessText, keysOf } from '../support/access.js';
import { type ApprovingServer, startApprovingServer } from '../support/approval-rules.js';
import { httpRequest } from '../support/http-request.js';
import { ADMIN_TOKEN } from '../support/operators-server.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const KEYS = keysOf('ada', 'grace', 'rex', 'reader');
const folder = testFolder();

let server: ApprovingServer;

beforeAll(async () => {
  writeFiles(folder.path, {
    'access.yaml': accessText({
      ada: { keys: [KEYS.ada], permissions: ['read', 'operator'] },
      grace: { keys: [KEYS.grace], permissions: ['approve'] },
      rex: { keys: [KEYS.rex], permissions: ['approve', 'operator'] },
      reader: { keys: [KEYS.reader] },
    }),
  });
  server = await startApprovingServer({ PITH_ACCESS_FILE: folder.file('access.yaml') });
});
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const tokenIn = (body: string): string => /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';

/** Sends the form of an approval with a token, as a browser does. */
const send = (id: string, key: string, token: string, decision = 'approve') =>
  httpRequest(server.at(`/admin/approvals/${id}`), {
    headers: {
      ...bearer(key),
      origin: new URL(server.at('/')).origin,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: String(new URLSearchParams({ token, decision })),
  });

/** Opens the page of an approval and decides there. */
async function decide(id: string, key: string, decision = 'approve') {
  const { status, body } = await server.get(`/admin/approvals/${id}`, bearer(key));
  const reply = await send(id, key, tokenIn(body), decision);
  return { opened: status, hasForm: body.includes('<form'), decided: reply.status };
}

describe('operators with keys of their own', () => {
  it('decide with the permission approve alone, under their names', async () => {
    const id = await server.ask();
    expect(await decide(id, KEYS.grace)).toEqual({ opened: 200, hasForm: true, decided: 303 });
    expect(await server.store.get(id)).toMatchObject({
      state: 'approved',
      decisions: [{ by: 'grace', via: 'admin', verdict: 'approved' }],
    });
  });

  it('see the page with the permission operator alone, and decide nothing', async () => {
    const id = await server.ask();
    expect(await decide(id, KEYS.ada)).toEqual({ opened: 200, hasForm: false, decided: 403 });
    const { body } = await server.get(`/admin/approvals/${id}`, bearer(KEYS.grace));
    expect((await send(id, KEYS.ada, tokenIn(body))).status).toBe(403);
    expect(await server.store.get(id)).toMatchObject({ state: 'pending', decisions: [] });
  });

  it('neither revoke without the permission approve', async () => {
    const id = await server.ask();
    await decide(id, KEYS.grace);
    expect(await decide(id, KEYS.ada, 'revoke')).toMatchObject({ hasForm: false, decided: 403 });
    expect(await decide(id, KEYS.rex, 'revoke')).toEqual({ opened: 200, hasForm: true, decided: 303 });
    expect((await server.store.get(id))?.decisions.map(({ by, verdict }) => [by, verdict])).toEqual([
      ['grace', 'approved'],
      ['rex', 'revoked'],
    ]);
  });

  it('see approvals only, with the permission approve alone', async () => {
    const open = async (path: string, key: string): Promise<number | undefined> =>
      (await server.get(path, bearer(key))).status;
    expect(await open('/admin/approvals', KEYS.grace)).toBe(200);
    for (const path of ['/admin', '/admin/settings', '/admin/runs', '/admin/policy'])
      expect([path, await open(path, KEYS.grace)]).toEqual([path, 403]);
    expect(await open('/admin/approvals', KEYS.reader)).toBe(403);
  });

  it('complete a review together, not alone and not with the form of the other', async () => {
    const id = await server.ask({ effect: 'review' });
    await decide(id, KEYS.grace);
    expect((await decide(id, KEYS.grace)).decided).toBeGreaterThanOrEqual(400);
    const { body } = await server.get(`/admin/approvals/${id}`, bearer(KEYS.rex));
    expect((await send(id, ADMIN_TOKEN, tokenIn(body))).status).toBe(403);
    expect((await server.store.get(id))?.state).toBe('pending');
    expect((await decide(id, KEYS.rex)).decided).toBe(303);
    expect((await server.store.get(id))?.state).toBe('approved');
  });

  it('do not decide about their own calls', async () => {
    const id = await server.ask({ principal: 'rex' });
    const { body } = await server.get(`/admin/approvals/${id}`, bearer(KEYS.rex));
    expect(body).not.toContain('<form');
    expect((await server.store.get(id))?.state).toBe('pending');
  });
});
