import type { ListParts } from './find-lists.js';
import type { FoundPage } from './found-page.js';
import { pageContent } from './page-content.js';
import { WebFailure } from './web-client.js';

/** The addresses at which sites have the Markdown of a page, in the same order for all pages. */
const WAYS: readonly ((path: string) => string | null)[] = [
  (path) => (path.endsWith('/') ? `${path}index.md` : null),
  (path) => (/[^/]\/$/.test(path) ? `${path.slice(0, -1)}.md` : null),
  (path) => (path.endsWith('.html') ? path.replace(/\.html$/, '.md') : null),
  (path) => (path.endsWith('.html') ? `${path}.md` : null),
  (path) => (/\/[^/.]+$/.test(path) ? `${path}.md` : null),
];

/**
 * Adds the addresses of Markdown to pages, if the site has it beside one of them.
 * @param pages  the first page of the site, and others; one of these is tried
 */
export async function withMarkdownBeside(
  pages: readonly FoundPage[],
  { get, rules, limits, signal }: ListParts,
): Promise<readonly FoundPage[]> {
  const tried = pages
    .slice(1)
    .find(({ markdown, url }) => !markdown && WAYS.some((way) => way(url.pathname)));
  if (!tried) return pages;
  for (const way of WAYS) {
    const url = beside(tried, way);
    if (!url || !rules.allows(url.pathname)) continue;
    const answer = await get({ url, headers: {}, maxBytes: limits.maxPageBytes }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof WebFailure) return null;
      throw error;
    });
    const content = answer?.status === 200 && answer.url.href === url.href ? pageContent(answer) : '';
    if (typeof content !== 'string' && content.extension === 'md') {
      return pages.map((page) => ({ ...page, markdown: page.markdown ?? beside(page, way) }));
    }
  }
  return pages;
}

function beside({ url }: FoundPage, way: (path: string) => string | null): URL | undefined {
  const path = way(url.pathname);
  return path === null ? undefined : new URL(path.replace(/^\/+/, '/'), url.origin);
}
