import { type AxeResults, source as axeSource } from 'axe-core';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.js';
import { buildIndex } from '../support/build-index.js';
import { refusalOf } from '../support/failures.js';
import { type CallResult, connectClient, startHttpProcess, type TestClient } from '../support/mcp-clients.js';
import { pithIndex, poll } from '../support/processes.js';
import { TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';
import { openView } from '../support/view-host.js';
import { writeFiles } from '../support/write-files.js';

const URI = 'ui://pith/evidence';
const TYPE = 'text/html;profile=mcp-app';
const EXTENSIONS = { 'io.modelcontextprotocol/ui': { mimeTypes: [TYPE] } };
const QUESTION = 'When does a ship leave the waiting list?';

const folder = testFolder();
const index = folder.file('index.sqlite');
let server: Awaited<ReturnType<typeof startHttpProcess>>;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  server = await startHttpProcess(index);
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function viewOf(client: TestClient): Promise<string> {
  const [page] = (await client.readResource(URI)).contents;
  return page?.text ?? '';
}

describe.each(TRANSPORTS)('for a %s client over %s', (era, transport) => {
  let host: TestClient;
  let other: TestClient;

  beforeAll(async () => {
    const options = { era, transport, index, url: server.url };
    [host, other] = await Promise.all([
      connectClient({ ...options, extensions: EXTENSIONS }),
      connectClient({ ...options, extensions: { 'example.com/other': {} } }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([host.close(), other.close()]);
  });

  it('that shows views, answers have one', async () => {
    const tools = await host.listTools();
    const withView = tools.filter(({ _meta }) => _meta !== undefined);
    expect(withView.map(({ name, _meta }) => [name, _meta])).toEqual([
      ['kb.retrieve_evidence', { ui: { resourceUri: URI } }],
    ]);
    const { contents } = await host.readResource(URI);
    expect(contents).toEqual([
      { uri: URI, mimeType: TYPE, text: expect.any(String), _meta: { ui: { prefersBorder: true } } },
    ]);
  });

  it('that does not, nothing has changed', async () => {
    const [listed, without] = await Promise.all([host.listTools(), other.listTools()]);
    expect(JSON.stringify(without)).toBe(
      JSON.stringify(listed.map((tool) => ({ ...tool, _meta: undefined }))),
    );
    expect((await refusalOf(other.readResource(URI))).message).toContain('Resource not found');
    const [all, others] = await Promise.all([host.listResources(), other.listResources()]);
    expect(all.resources).toEqual(others.resources);
    expect(JSON.stringify(all)).not.toContain('ui://');
  });
});

describe('the view of an answer, in Chromium', () => {
  let browser: Browser;
  let client: TestClient;
  let html: string;
  let result: CallResult;

  beforeAll(async () => {
    browser = await openBrowser();
    client = await connectClient({ era: 'v1', transport: 'stdio', index, extensions: EXTENSIONS });
    html = await viewOf(client);
    result = await client.call('kb.retrieve_evidence', { question: QUESTION });
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), client?.close()]);
  });

  const answer = (method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> =>
    method === 'tools/call'
      ? client.call(String(params['name']), Object(params['arguments']))
      : client.readResource(String(params['uri']));

  it('shows the verdict and the quotes under their headings, as high as they need', async () => {
    const { page, view, messages, close } = await openView(browser, { html, question: QUESTION, result });
    const text = await view.innerText('body');
    const height = await view.evaluate<number>('document.documentElement.getBoundingClientRect().height');
    const frame = await page.locator('iframe').boundingBox();
    expect(text).toContain(QUESTION);
    expect(text).toContain('An answer is likely');
    expect(text).toContain('The waiting list > Leaving the list');
    expect(text).toContain('A ship leaves the waiting list when it gets a berth');
    expect(messages.map(({ method }) => method)).toContain('ui/notifications/size-changed');
    expect(frame?.height).toBeGreaterThanOrEqual(Math.floor(height));
    await close();
  });

  it.each([
    ['as a resource', { serverResources: {} }, 'resources/read'],
    ['in parts, where the host passes on tools only', { serverTools: {} }, 'tools/call'],
  ])('opens the whole section in place, %s, with its quotes marked', async (_, capabilities, method) => {
    const hosted = { html, question: QUESTION, result, capabilities, answer };
    const { view, messages, close } = await openView(browser, hosted);
    const open = view.getByRole('button', { name: 'Show the whole section' }).first();
    await open.click();
    const mark = view.locator('mark').first();
    await mark.waitFor();
    expect(await view.locator('blockquote').first().innerText()).toBe(await mark.innerText());
    expect(messages.map((message) => message.method)).toContain(method);
    await view.getByRole('button', { name: 'Hide the section' }).click();
    expect(await mark.isVisible()).toBe(false);
    await close();
  });

  it('says that a section can not be opened any more', async () => {
    const gone = async (): Promise<never> => Promise.reject(new Error('passage_not_found'));
    const { view, close } = await openView(browser, { html, question: QUESTION, result, answer: gone });
    await view.getByRole('button', { name: 'Show the whole section' }).first().click();
    await view.getByText('The section can no longer be read.').waitFor();
    await close();
  });

  it('shows hostile text as text, and loads nothing', async () => {
    const evil =
      '<img src=http://evil.example/i onerror=parent.x=1><script>x=1</script>"\'><a href=javascript:x>';
    const quote = { quote: evil, passage_id: evil, section_id: evil, confidence: 1, start_char: 0 };
    const source = { section_id: evil, title: evil, doc_tag: evil, url: 'javascript:alert(1)' };
    const structuredContent = {
      ...{ answerable: evil, quotes: [quote], sources: [source], passage_uri: evil, partial: true },
      parts_without_evidence: [evil],
    };
    const _meta = { 'pith/untrusted': { repositories: [evil] }, 'pith/warnings': [evil] };
    const context = { theme: evil, styles: { variables: { '--font-sans': evil, color: 'red' } } };
    const hosted = { html, question: evil, result: { content: [], structuredContent, _meta }, context };
    const { view, requests, close } = await openView(browser, {
      ...hosted,
      answer: async () => ({ contents: [{ text: evil }] }),
    });
    await view.getByRole('button', { name: 'Show the whole section' }).click();
    await view.locator('mark').waitFor();
    const made = await Promise.all(['img', 'a', 'script', 'mark'].map((name) => view.locator(name).count()));
    expect(made).toEqual([0, 0, 1, 1]);
    expect(await view.locator('blockquote').innerText()).toBe(evil);
    expect(await view.getByRole('button').count()).toBe(1);
    expect(requests).toEqual([]);
    await close();
  });

  describe.each([['off'], ['on']])('with the response envelope %s', (envelope) => {
    const own = testFolder();
    let vendor: TestClient;
    beforeAll(async () => {
      writeFiles(own.file('docs'), {
        '.pith.yaml': 'repository: vendor\ntrusted: false\n',
        'crane.md': '# Crane\n\nThe har\u200bbour crane lifts ten tonnes.\n',
      });
      await buildIndex(own.file('docs'), own.file('index.sqlite'));
      const env = { MCP_RESPONSE_ENVELOPE: envelope };
      vendor = await connectClient({ era: 'v1', transport: 'stdio', index: own.file('index.sqlite'), env });
    });
    afterAll(async () => {
      await vendor?.close();
      own.remove();
    });

    it('shows each warning once: quotes that are not trusted, and what was removed from them', async () => {
      const question = 'What does the harbour crane lift?';
      const answered = await vendor.call('kb.retrieve_evidence', { question });
      const { view, close } = await openView(browser, { html, question, result: answered });
      expect(await view.locator('.warning').allInnerTexts()).toEqual([
        'Some quotes are from repositories that are not trusted: vendor',
        'Invisible characters were removed from: crane.md.',
      ]);
      expect(await view.locator('blockquote').innerText()).toContain('The harbour crane lifts ten tonnes.');
      await view.evaluate(axeSource);
      const { violations } = await view.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
      expect(violations.map(({ id }) => id)).toEqual([]);
      await close();
    });
  });

  it('shows the warnings of a refused call', async () => {
    const refused = { isError: true, content: [{ type: 'text', text: 'REFUSED' }] };
    const warned = { ...refused, _meta: { 'pith/warnings': ['deprecated alias: <b>find</b>', 7] } };
    const { view, close } = await openView(browser, { html, question: QUESTION, result: warned });
    expect(await view.locator('.warning').allInnerTexts()).toEqual(['deprecated alias: <b>find</b>']);
    await close();
  });

  it('asks the host to open an address', async () => {
    const [source = {}] = (result.structuredContent?.['sources'] ?? []) as object[];
    const sources = [{ ...source, url: 'https://docs.example.org/list#leave' }];
    const shown = { ...result, structuredContent: { ...result.structuredContent, sources } };
    const { view, messages, close } = await openView(browser, { html, question: QUESTION, result: shown });
    await view.getByRole('button', { name: 'Open at docs.example.org' }).click();
    const opened = await poll('opening', () => messages.find(({ method }) => method === 'ui/open-link'));
    expect(opened.params).toEqual({ url: 'https://docs.example.org/list#leave' });
    await close();
  });

  it.each([
    ['nothing is found', { question: 'zzxqy' }, 'An answer is unlikely'],
    ['the call is refused', { question: '' }, 'INVALID_ARGUMENT'],
  ])('says so if %s', async (_, args, said) => {
    const found = await client.call('kb.retrieve_evidence', args);
    const { view, close } = await openView(browser, { html, question: 'zzxqy', result: found });
    expect(await view.innerText('body')).toContain(said);
    await close();
  });

  it.each([
    ['light', 320],
    ['dark', 320],
    ['light', 900],
    ['dark', 900],
  ] as const)('has no issue that axe finds, and no overflow, in %s at %d px', async (scheme, width) => {
    const hosted = { html, question: QUESTION, result, scheme, width, answer };
    const { page, view, close } = await openView(browser, hosted);
    await view.getByRole('button', { name: 'Show the whole section' }).first().click();
    await view.locator('mark').first().waitFor();
    await view.evaluate(axeSource);
    const { violations } = await view.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
    expect(violations.map(({ id }) => id)).toEqual([]);
    const isWide = await view.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect(isWide).toBe(false);
    await page.screenshot({ path: `reports/screenshots/view-${scheme}-${width}.png`, fullPage: true });
    await close();
  });
});
