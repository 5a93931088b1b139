import { ICON, MARK } from '../../mcp/http/welcome/page-style.js';
import { Html, html, type Part } from './html.js';
import { STYLE } from './style.js';

/** A page with an entry in the menu. */
export interface Place {
  readonly href: string;
  readonly name: string;
}

/** The parts of a page that are the same on all pages of a server. */
export interface Frame {
  readonly version: string;
  readonly menu: readonly Place[];
  /** True if the server shows documents at `/read`. Default: false. */
  readonly hasReader?: boolean;
}

interface Page {
  readonly title: string;
  /** Address of the page's entry in the menu; null if it has none. */
  readonly place: string | null;
  readonly frame: Frame;
  /** A sentence about the page, below its title. Without it, the content has a heading of its own. */
  readonly lead?: Part;
  readonly content: Part;
}

/** A whole page. */
export function page({ title, place, frame, lead, content }: Page): string {
  const links = frame.menu.map(
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
        <main id="main" tabindex="-1" class="wrap">
          ${
            lead !== undefined &&
            html`<h1>${title}</h1>
              <p class="lead">${lead}</p>`
          }${content}
        </main>
        <footer class="wrap"><p>Pith ${frame.version} · All times are UTC.</p></footer>
      </body>
    </html> `.toString();
}
