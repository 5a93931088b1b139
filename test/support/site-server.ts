import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { siteFetcher, type SiteParts, type SiteSource } from '../../src/sources/site/fetch-site.js';
import { SITE_LIMITS, type SiteLimits } from '../../src/sources/site/site-limits.js';
import type { FetchedCopy, FetchRequest } from '../../src/sources/source.js';
import { type TestFolder, testFolder } from './test-folder.js';

export type Page =
  | string
  | { readonly body: string | Buffer; readonly headers?: Record<string, string>; readonly status?: number };
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A site on loopback, whose pages a test can change. */
export interface TestSite {
  readonly origin: string;
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** By path, without query. */
  readonly pages: Map<string, Page | Handler>;
  /** `PATH`, or `PATH 304`, of each request. */
  readonly asked: string[];
  /** Headers of the requests. */
  readonly sent: IncomingMessage['headers'][];
  readonly close: () => Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  xml: 'application/xml',
};

/** Starts a server that answers with an ETag of each page. */
export async function startSite(pages: Readonly<Record<string, Page | Handler>>): Promise<TestSite> {
  const served = new Map(Object.entries(pages));
  const [asked, sent]: [string[], IncomingMessage['headers'][]] = [[], []];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const page = served.get(path);
    sent.push(request.headers);
    if (typeof page === 'function') {
      asked.push(path);
      return page(request, response);
    }
    const status = answer(page, request, response);
    asked.push(status === 304 ? `${path} 304` : path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, pages: served, asked, sent },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(page: Page | undefined, request: IncomingMessage, response: ServerResponse): number {
  const {
    body,
    headers = {},
    status = 200,
  } = page === undefined
    ? { body: 'missing', status: 404 }
    : typeof page === 'string'
      ? { body: page }
      : page;
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  const isSame = status === 200 && request.headers['if-none-match'] === etag;
  const extension = /\.(\w+)$/.exec(request.url ?? '')?.[1] ?? '';
  response.writeHead(isSame ? 304 : status, {
    'content-type': `${TYPES[extension] ?? 'text/html'}; charset=utf-8`,
    ...(status === 200 ? { etag } : {}),
    ...headers,
  });
  response.end(isSame ? undefined : body);
  return isSame ? 304 : status;
}

/** The HTML of a page. @param head  further elements of its head */
export const html = (body: string, head = ''): string =>
  `<!doctype html><html><head><title>Page</title>${head}</head><body><main>${body}</main></body></html>`;

export interface FetchOptions {
  readonly path?: string;
  readonly source?: Partial<SiteSource>;
  readonly limits?: Partial<SiteLimits>;
  readonly parts?: SiteParts;
  readonly previous?: FetchRequest['previous'];
  readonly signal?: AbortSignal;
}

export interface TestCopy extends FetchedCopy {
  readonly folder: string;
  readonly reports: readonly string[];
  /** Of each file, its path and its address without the origin. */
  readonly pages: Readonly<Record<string, string>>;
  /** Of each refusal, the path and the reason. */
  readonly refusals: Readonly<Record<string, string>>;
}

const folders: TestFolder[] = [];

/** Removes the copies of a test. */
export function removeCopies(): void {
  for (const folder of folders.splice(0)) folder.remove();
}

/** Fetches a site into a temporary folder. Waits take no time, unless a test replaces them. */
export async function fetchTestSite(
  site: Pick<TestSite, 'origin' | 'host'>,
  options: FetchOptions = {},
): Promise<TestCopy> {
  const { path = '/', source, limits, previous = null, signal = new AbortController().signal } = options;
  const copies = testFolder();
  folders.push(copies);
  const folder = copies.path;
  const reports: string[] = [];
  let now = 0;
  const pause = (ms: number): Promise<void> => Promise.resolve(void (now += ms));
  const copy = await siteFetcher({ pause, now: () => now, ...options.parts })({
    source: {
      ...{ name: 'docs', kind: 'site', address: site.origin + path, allowedHosts: [site.host] },
      ...source,
      limits: { ...SITE_LIMITS, idleMs: 5_000, graceMs: 5_000, ...limits },
    },
    ...{ folder, previous, signal, report: (line) => void reports.push(line) },
  });
  const short = (address: string): string => address.replace(site.origin, '');
  return {
    ...copy,
    ...{ folder, reports },
    pages: Object.fromEntries(copy.files.map((file) => [file.path, short(file.address)])),
    refusals: Object.fromEntries(copy.refused.map(({ address, reason }) => [short(address), reason])),
  };
}
