import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ApprovingServer, startApprovingServer } from '../support/approval-rules.js';
import { focusOutline, inWindow as inBrowserWindow, openBrowser } from '../support/browser.js';
import { httpRequest } from '../support/http-request.js';
import { ADMIN_TOKEN } from '../support/operators-server.js';
import { describeLooks, issuesIn } from '../support/page-looks.js';

const BEARER = { authorization: `Bearer ${ADMIN_TOKEN}` };
const HOSTILE = {
  channel: '#general\u202egnp.exe\u200b',
  text: '<script>document.title = "mine"</script>\u0007',
  'key"><img src=x onerror=alert(1)>': ['&amp;', null, 1.5, { deep: true }],
  long: 'word '.repeat(2_000),
};

let server: ApprovingServer;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  server = await startApprovingServer();
});
afterAll(async () => {
  await Promise.all([browser?.close(), server?.stop()]);
});

const inWindow = <T>(
  visit: { readonly hasScripts?: boolean },
  work: (window: BrowserContext) => Promise<T>,
): Promise<T> => inBrowserWindow(browser, { password: ADMIN_TOKEN, ...visit }, work);

async function open(window: BrowserContext, path: string): Promise<Page> {
  const page = await window.newPage();
  const response = await page.goto(server.at(path));
  expect(response?.status()).toBe(200);
  return page;
}

const stateOf = async (id: string): Promise<string | undefined> => (await server.store.get(id))?.state;

/** A decided request in each state, and pending ones. */
async function askAll(): Promise<Record<string, string>> {
  const ids = {
    pending: await server.ask(),
    review: await server.ask({ effect: 'review', agent: 'writer', safety: 'write', reason: 'Two see more.' }),
    hostile: await server.ask({ argumentsText: JSON.stringify(HOSTILE), safety: 'external' }),
    cut: await server.ask({ argumentsText: '{"text":"beginning', argumentsOmitted: 70_000 }),
    approved: await server.ask(),
    rejected: await server.ask(),
    used: await server.ask({ binding: 'used' }),
    expired: await server.ask({ lifetimeMs: 1 }),
  };
  const by = { by: 'ben', via: 'command', reason: null } as const;
  await server.store.decide(ids.review, { ...by, verdict: 'approved' });
  await server.store.decide(ids.approved, { ...by, verdict: 'approved' });
  await server.store.decide(ids.rejected, { ...by, verdict: 'rejected', reason: 'Not now.' });
  await server.store.decide(ids.used, { ...by, verdict: 'approved' });
  await server.store.consume({ binding: 'used', callId: 'call-of-use' });
  return ids;
}

describe('requests in every state', () => {
  let ids: Record<string, string>;
  beforeAll(async () => {
    ids = await askAll();
  });

  describeLooks(['list', 'review', 'hostile', 'cut', 'rejected', 'used'], (name) => ({
    url: server.at(`/admin/approvals${name === 'list' ? '' : `/${ids[name]}`}`),
    password: ADMIN_TOKEN,
  }));
});

describe('the list', () => {
  it('shows pending requests and decisions, newest first, and leads to one', async () => {
    const ids = await askAll();
    const shown = await inWindow({ hasScripts: false }, async (window) => {
      const page = await open(window, '/admin/approvals');
      const links = page.locator('section').first().locator('tbody th a');
      const states = await page.locator('section').nth(1).locator('.said').allInnerTexts();
      const first = await links.first().getAttribute('href');
      await links.first().click();
      return { first, states: states.slice(0, 4), text: await page.locator('#state').innerText() };
    });
    expect(shown.first).toBe(`/admin/approvals/${ids['cut']}`);
    expect(shown.states.map((text) => text.replace(/^\W+/, ''))).toEqual([
      'expired',
      'approved and used',
      'rejected',
      'approved, not used yet',
    ]);
    expect(shown.text).toContain('This call waits for approval.');
  });

  it('is divided into pages', async () => {
    await Promise.all(Array.from({ length: 30 }, () => server.ask({ principal: 'busy' })));
    const counts = await inWindow({ hasScripts: false }, async (window) => {
      const page = await open(window, '/admin/approvals');
      const rows = page.locator('section').first().locator('tbody tr');
      const first = await rows.count();
      await page.getByRole('link', { name: 'Older' }).click();
      const second = await rows.count();
      await page.getByRole('link', { name: 'Newest' }).click();
      return [first, second > 0, await rows.count()];
    });
    expect(counts).toEqual([25, true, 25]);
  });
});

describe('one approval', () => {
  it('shows all arguments as text', async () => {
    const id = await server.ask({ argumentsText: JSON.stringify(HOSTILE) });
    const { shown, title, marks } = await inWindow({}, async (window) => {
      const page = await open(window, `/admin/approvals/${id}`);
      const pre = page.locator('pre');
      return {
        shown: await pre.textContent(),
        title: await page.title(),
        marks: await pre.locator('mark').allInnerTexts(),
      };
    });
    expect(JSON.parse(shown ?? '')).toEqual(HOSTILE);
    expect(marks).toEqual(['\\u202e', '\\u200b']);
    expect(title).toBe('kb.search: pending · Pith');
  });

  it('is approved with the keyboard, without scripts, and the page says so', async () => {
    const id = await server.ask();
    const { names, text, url, focused } = await inWindow({ hasScripts: false }, async (window) => {
      const page = await open(window, `/admin/approvals/${id}`);
      const names: string[] = [];
      for (let i = 0; i < 20; i++) {
        await page.keyboard.press('Tab');
        const focus = page.locator(':focus');
        const name = (await focus.getAttribute('id')) ?? (await focus.innerText()).split('\n')[0] ?? '';
        names.push(name);
        expect(await focusOutline(page)).toBe('solid');
        if (name === 'f-note') await page.keyboard.type('Fine with me.');
        if (name === 'Approve') break;
      }
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      return {
        names,
        text: await page.getByRole('status').innerText(),
        url: page.url(),
        focused: await page.evaluate<string>('document.activeElement.id').catch(() => 'state'),
      };
    });
    expect(names.slice(-4)).toEqual(['Approvals', '{', 'f-note', 'Approve']);
    expect(text).toContain('This call is approved, not used yet.');
    expect(url).toBe(`${server.at(`/admin/approvals/${id}`)}#state`);
    expect(focused).toBe('state');
    expect((await server.store.get(id))?.decisions).toMatchObject([
      { by: 'operator', via: 'admin', verdict: 'approved', reason: 'Fine with me.' },
    ]);
  });

  it('is rejected with a note', async () => {
    const id = await server.ask();
    await inWindow({}, async (window) => {
      const page = await open(window, `/admin/approvals/${id}`);
      await page.getByLabel('Note').fill('Not\ntoday.');
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('This call is rejected.').waitFor();
    });
    expect(await server.store.get(id)).toMatchObject({
      state: 'rejected',
      decisions: [{ verdict: 'rejected', reason: 'Not\ntoday.' }],
    });
  });

  it('is revoked after it was granted', async () => {
    const id = await server.ask();
    await server.store.decide(id, { by: 'ben', verdict: 'approved', via: 'command', reason: null });
    const issues = await inWindow({}, async (window) => {
      const page = await open(window, `/admin/approvals/${id}`);
      const found = await issuesIn(page);
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('This call is rejected.').waitFor();
      return found;
    });
    expect(issues).toEqual([]);
    expect(await server.store.get(id)).toMatchObject({
      state: 'rejected',
      decisions: [{ by: 'ben' }, { by: 'operator', via: 'admin', verdict: 'revoked' }],
    });
  });

  it('needs a second operator for a review', async () => {
    const id = await server.ask({ effect: 'review' });
    const text = await inWindow({}, async (window) => {
      const page = await open(window, `/admin/approvals/${id}`);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('1 of 2 approved').first().waitFor();
      return page.locator('main').innerText();
    });
    expect(text).toContain('This call waits for approval.');
    expect(text).toContain('has already decided');
    expect(await stateOf(id)).toBe('pending');
  });

  it('reports that another operator has decided first', async () => {
    const id = await server.ask();
    const text = await inWindow({}, async (window) => {
      const page = await open(window, `/admin/approvals/${id}`);
      await server.store.decide(id, { by: 'ben', verdict: 'rejected', via: 'command', reason: null });
      await page.getByRole('button', { name: 'Approve' }).click();
      return page.locator('main').innerText();
    });
    expect(text).toContain('is rejected');
    expect(await stateOf(id)).toBe('rejected');
  });

  it.each(['own call', 'cut'])('cannot be approved: %s', async (name) => {
    const id = await server.ask(
      name === 'cut' ? { argumentsText: '{"a":', argumentsOmitted: 9 } : { principal: 'operator' },
    );
    const buttons = await inWindow({}, async (window) => {
      const page = await open(window, `/admin/approvals/${id}`);
      return page.getByRole('button').allInnerTexts();
    });
    expect(buttons).toEqual(name === 'cut' ? ['Reject'] : []);
  });
});

describe('requests that change something', () => {
  /** Opens the page as an operator with a bearer token. @returns the fields of its form */
  async function formOf(id: string, headers: Record<string, string> = BEARER): Promise<URLSearchParams> {
    const { body } = await server.get(`/admin/approvals/${id}`, headers);
    const token = /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
    return new URLSearchParams({ token, decision: 'approve', note: '' });
  }

  const origin = (): string => new URL(server.at('/')).origin;
  const post = (id: string, body: string, headers: Record<string, string> = {}) =>
    httpRequest(server.at(`/admin/approvals/${id}`), {
      headers: {
        ...BEARER,
        origin: origin(),
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body,
    });

  it('are accepted from the page', async () => {
    const id = await server.ask();
    const reply = await post(id, String(await formOf(id)));
    expect({ status: reply.status, to: reply.headers.location }).toEqual({
      status: 303,
      to: `/admin/approvals/${id}#state`,
    });
    expect(await stateOf(id)).toBe('approved');
  });

  it.each<[string, Record<string, string>]>([
    ['of another origin', { origin: 'http://evil.example' }],
    ['of another port', { origin: 'http://127.0.0.1:1' }],
    ['of a hidden origin', { origin: 'null' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    [
      'with another credential',
      { authorization: `Basic ${Buffer.from(`x:${ADMIN_TOKEN}`).toString('base64')}` },
    ],
  ])('are refused with 403 from a page %s', async (_, headers) => {
    const id = await server.ask();
    const reply = await post(id, String(await formOf(id)), headers);
    expect({ status: reply.status, state: await stateOf(id) }).toEqual({ status: 403, state: 'pending' });
  });

  it('are refused with 403 without Origin', async () => {
    const id = await server.ask();
    const form = String(await formOf(id));
    const headers = { ...BEARER, 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await httpRequest(server.at(`/admin/approvals/${id}`), { headers, body: form });
    expect({ status: reply.status, state: await stateOf(id) }).toEqual({ status: 403, state: 'pending' });
  });

  it('are refused with 401 without a token', async () => {
    const id = await server.ask();
    const reply = await post(id, String(await formOf(id)), { authorization: 'Bearer guessed' });
    expect({ status: reply.status, state: await stateOf(id) }).toEqual({ status: 401, state: 'pending' });
  });

  it('are refused with the form of another approval', async () => {
    const [id, other] = [await server.ask(), await server.ask()];
    const reply = await post(id, String(await formOf(other)));
    expect({ status: reply.status, state: await stateOf(id) }).toEqual({ status: 403, state: 'pending' });
  });

  it.each([
    ['no field', ''],
    ['an unknown decision', 'token=x&decision=maybe'],
    ['two decisions', 'token=x&decision=approve&decision=reject'],
    ['an unknown field', 'token=x&decision=approve&by=ann'],
    ['a long note', `token=x&decision=approve&note=${'x'.repeat(3_000)}`],
    ['a large body', `token=x&decision=approve&note=${'x'.repeat(30_000)}`],
  ])('are refused with 400: %s', async (_, body) => {
    const id = await server.ask();
    const reply = await post(id, body);
    expect({ status: reply.status, state: await stateOf(id) }).toEqual({ status: 400, state: 'pending' });
  });

  it('are refused with 400 as JSON', async () => {
    const id = await server.ask();
    const body = JSON.stringify(Object.fromEntries(await formOf(id)));
    const reply = await post(id, body, { 'content-type': 'application/json' });
    expect({ status: reply.status, state: await stateOf(id) }).toEqual({ status: 400, state: 'pending' });
  });

  it('are refused with 409 for a decided request, and with 404 for an unknown one', async () => {
    const id = await server.ask();
    const form = String(await formOf(id));
    await post(id, form);
    expect(await post(id, form)).toMatchObject({ status: 409 });
    expect(await post('unknown', form)).toMatchObject({ status: 404 });
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('are refused with 405: %s', async (method) => {
    const id = await server.ask();
    const reply = await httpRequest(server.at(`/admin/approvals/${id}`), { method, headers: BEARER });
    expect(reply.status).toBe(405);
  });

  it('are never GET or HEAD', async () => {
    const id = await server.ask();
    const form = String(await formOf(id));
    await server.get(`/admin/approvals/${id}?${form}`);
    await httpRequest(server.at(`/admin/approvals/${id}?${form}`), { method: 'HEAD', headers: BEARER });
    expect(await stateOf(id)).toBe('pending');
  });
});

describe('the pages of approvals', () => {
  it.each(['/admin/approvals', '/admin/approvals/approval-1'])(
    '%s: are for operators, and are not cached',
    async (path) => {
      expect(await server.get(path, {})).toMatchObject({ status: 401 });
      const { headers } = await server.get(path);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    },
  );

  it.each(['/admin/approvals/unknown', '/admin/approvals/%00', '/admin/approvals/..%2f..%2fx'])(
    '%s: not found',
    async (path) => {
      expect(await server.get(path)).toMatchObject({ status: 404 });
    },
  );

  it('refuse unknown parameters', async () => {
    expect(await server.get('/admin/approvals?after=%27')).toMatchObject({ status: 400 });
  });
});
