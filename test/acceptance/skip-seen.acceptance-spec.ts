import { writeFileSync } from 'node:fs';
import { accessText, keysOf } from '../support/access.js';
import { failureOf } from '../support/failures.js';
import type { CallResult, TestClient } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { openSite, OVER_HTTP, type Site, TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const KEYS = keysOf('ada', 'eve');
const QUESTION = 'When does a ship leave the waiting list?';

let plain: Site;
let ada: Site;
let eve: Site;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  const access = folder.file('access.json');
  writeFileSync(access, accessText({ ada: { keys: [KEYS.ada] }, eve: { keys: [KEYS.eve] } }), {
    mode: 0o600,
  });
  const env = { PITH_ACCESS_FILE: access, PITH_LEDGER: 'off' };
  const keyed = (key: string) =>
    openSite(index, { transports: OVER_HTTP, env, headers: { authorization: `Bearer ${key}` } });
  [plain, ada, eve] = await Promise.all([openSite(index), keyed(KEYS.ada), keyed(KEYS.eve)]);
}, 60_000);

afterAll(async () => {
  await Promise.all([plain, ada, eve].map((site) => site?.stop()));
});

async function ask(client: TestClient, run: string, isSkipping: boolean): Promise<CallResult> {
  const args = { question: QUESTION, options: { skip_seen: isSkipping } };
  return client.call('kb.retrieve_evidence', args, { _meta: { 'pith/run_id': run } });
}

function quotesOf({ structuredContent }: CallResult): string[] {
  return (structuredContent?.['quotes'] as { quote: string }[]).map(({ quote }) => quote);
}

/** Asks until nothing more is found. @returns the quotes of each call, and the last result */
async function askAll(client: TestClient, run: string) {
  const calls: string[][] = [];
  for (;;) {
    const result = await ask(client, run, calls.length > 0);
    const quotes = quotesOf(result);
    if (quotes.length === 0 || calls.length === 20) return { calls, last: result };
    calls.push(quotes);
  }
}

describe('skip_seen', () => {
  it.each(TRANSPORTS)(
    'returns the next best evidence until there is nothing more (%s, %s)',
    async (era, transport) => {
      const { calls, last } = await askAll(plain.client(era, transport), `all-${era}`);
      const quotes = calls.flat();
      expect(calls.length).toBeGreaterThan(1);
      expect(new Set(quotes).size).toBe(quotes.length);
      expect(last.structuredContent).toMatchObject({
        quotes: [],
        hint: expect.stringMatching(/^Nothing more/),
      });
    },
  );

  it.each(TRANSPORTS)('gives the same answers after the same calls (%s, %s)', async (era, transport) => {
    const client = plain.client(era, transport);
    const [first, second] = [await askAll(client, `b-${era}`), await askAll(client, `c-${era}`)];
    expect(second.calls).toEqual(first.calls);
  });

  it('leaves out nothing that another principal was shown in a run of the same name', async () => {
    const first = await ask(ada.client('v2', 'http'), 'shared', false);
    const second = await ask(eve.client('v2', 'http'), 'shared', true);
    expect(quotesOf(second)).toEqual(quotesOf(first));
  });

  it('works without a run in a process of its own', async () => {
    const client = plain.client('v1', 'stdio');
    const asked = { question: QUESTION, options: { skip_seen: true } };
    const first = await client.call('kb.retrieve_evidence', asked);
    const second = await client.call('kb.retrieve_evidence', asked);
    expect(quotesOf(first).filter((quote) => quotesOf(second).includes(quote))).toEqual([]);
  });

  it.each(OVER_HTTP)('is refused without a run (%s, %s)', async (era, transport) => {
    const asked = { question: QUESTION, options: { skip_seen: true } };
    const result = await plain.client(era, transport).call('kb.retrieve_evidence', asked);
    expect(failureOf(result)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'no_conversation' });
  });
});
