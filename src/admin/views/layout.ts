import { ICON, MARK } from '../../mcp/http/welcome/page-style.js';
import { Html, html, type Part } from './html.js';
import { STYLE } from './style.js';

export const PLACES = [
  { href: '/admin', name: 'Retrievals' },
  { href: '/admin/approvals', name: 'Approvals' },
  { href: '/admin/runs', name: 'Runs' },
  { href: '/admin/claims', name: 'Claims' },
  { href: '/admin/corpora', name: 'Corpora' },
  { href: '/admin/pointers', name: 'Pointers' },
  { href: '/admin/policy', name: 'Policy' },
  { href: '/admin/corpus', name: 'Index' },
  { href: '/admin/providers', name: 'Providers' },
  { href: '/admin/tools', name: 'Tools' },
  { href: '/admin/settings', name: 'Settings' },
] as const;
export type PagePlace = (typeof PLACES)[number]['href'];

/** The parts of a page that are the same on all pages of a server. */
export interface Frame {
  readonly version: string;
  /** Pages of features that are off: they have no entry in the navigation. */
  readonly hidden: ReadonlySet<PagePlace>;
}

interface Page {
  readonly title: string;
  /** The page's entry in the navigation; null if it has none. */
  readonly place: PagePlace | null;
  readonly frame: Frame;
  readonly content: Part;
}

/** A whole page. */
export function page({ title, place, frame, content }: Page): string {
  const shown = PLACES.filter(({ href }) => !frame.hidden.has(href));
  const links = shown.map(
    ({ href, name }) =>
      html`<li><a href="${href}" ${href === place && html`aria-current="page"`}>${name}</a></li>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Pith</title>
        <link rel="icon" href="${Html.trusted(ICON)}" />
        ${STYLE}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <div class="wrap">
            <a class="brand" href="/admin"
              >${Html.trusted(MARK)}<span>Pith</span><small>for operators</small></a
            >
            <nav aria-label="Pages">
              <ul>
                ${links}
              </ul>
            </nav>
          </div>
        </header>
        <main id="main" tabindex="-1" class="wrap">${content}</main>
        <footer class="wrap"><p>Pith ${frame.version} · All times are UTC.</p></footer>
      </body>
    </html> `.toString();
}
