import type { Browser, Frame, Page } from 'playwright-core';

/** What a view sends to its host. */
export interface ViewMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface ViewHost {
  readonly page: Page;
  /** The document of the view. */
  readonly view: Frame;
  readonly messages: ViewMessage[];
  /** Addresses that the page or the view tried to load. */
  readonly requests: string[];
  readonly close: () => Promise<void>;
}

interface Hosted {
  readonly html: string;
  readonly question: string;
  readonly result: object;
  readonly capabilities?: object;
  readonly context?: object;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** Answers `resources/read` and `tools/call`. */
  readonly answer?: (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Runs in the page: a host as the specification of MCP Apps describes it, with the view in a sandbox of another origin. */
const HOST = `
const frame = document.querySelector('iframe');
const post = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
const notify = (name, params) => post({ method: 'ui/notifications/' + name, params });
window.addEventListener('message', async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  await heard(data);
  const { id, method, params } = data;
  if (method === 'ui/notifications/initialized') {
    notify('tool-input', { arguments: { question: hosted.question } });
    notify('tool-result', hosted.result);
  }
  if (method === 'ui/notifications/size-changed') frame.style.height = params.height + 'px';
  if (id === undefined || method === undefined) return;
  if (method === 'ui/initialize')
    return post({ id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'host', version: '1' },
      hostCapabilities: hosted.capabilities, hostContext: hosted.context } });
  if (method.startsWith('ui/')) return post({ id, result: {} });
  answer(method, params).then(
    (result) => post({ id, result }),
    (error) => post({ id, error: { code: -32000, message: String(error) } }),
  );
});
frame.srcdoc = hosted.html;
`;

/** Opens a view in Chromium, in a host that shows one result. */
export async function openView(browser: Browser, hosted: Hosted): Promise<ViewHost> {
  const { html, question, result, answer = async () => ({}), scheme = 'light', width = 700 } = hosted;
  const { capabilities = { serverResources: {}, openLinks: {} }, context = {} } = hosted;
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 900 } });
  const messages: ViewMessage[] = [];
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.exposeFunction('heard', (message: ViewMessage) => void messages.push(message));
  await page.exposeFunction('answer', answer);
  await page.setContent('<iframe sandbox="allow-scripts" style="border:0;width:100%"></iframe>');
  const given = JSON.stringify({ html, question, result, capabilities, context });
  await page.evaluate(`const hosted = ${given.replaceAll('</', '<\\/')}; ${HOST}`);
  const element = await page.waitForSelector('iframe');
  const view = await element.contentFrame();
  if (!view) throw new Error('the view has no document');
  await view.waitForSelector('h1, h2, .verdict, .section');
  return { page, view, messages, requests, close: () => page.close() };
}
