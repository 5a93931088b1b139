import { Html, html, type Part } from './html.js';
import { ICON, MARK } from './page-style.js';
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

interface WholePage {
  readonly title: string;
  readonly style: Html;
  readonly bodyClass?: string;
  /** The page to which the name of Pith leads. */
  readonly home: string;
  /** After the name of Pith. */
  readonly brand?: Part;
  /** At the top, after the name. */
  readonly bar: Part;
  readonly main: Part;
  /** After the main part. */
  readonly end?: Part;
}

/** A whole page, of the console or for people. */
export function wholePage({ title, style, bodyClass = '', home, brand, bar, main, end }: WholePage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${Html.trusted(ICON)}" />
        ${style}
      </head>
      <body class="${bodyClass}">
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <div class="wrap">
            <a class="brand" href="${home}">${Html.trusted(MARK)}<span>Pith</span>${brand}</a>
            ${bar}
          </div>
        </header>
        <main id="main" tabindex="-1" class="wrap">${main}</main>
        ${end}
      </body>
    </html> `.toString();
}

/** The links at the top of a page. */
export function linkBar(links: Part): Html {
  return html`<nav aria-label="Pages">
    <ul>
      ${links}
    </ul>
  </nav>`;
}

/** A whole page of the console. */
export function page({ title, place, frame, lead, content }: Page): string {
  const links = frame.menu.map(
    ({ href, name }) =>
      html`<li><a href="${href}" ${href === place && html`aria-current="page"`}>${name}</a></li>`,
  );
  const heading =
    lead !== undefined &&
    html`<h1>${title}</h1>
      <p class="lead">${lead}</p>`;
  return wholePage({
    title: `${title} · Pith`,
    style: STYLE,
    home: '/admin',
    brand: html`<small>for operators</small>`,
    bar: linkBar(links),
    main: [heading, content],
    end: html`<footer class="wrap"><p>Pith ${frame.version} · All times are UTC.</p></footer>`,
  });
}
