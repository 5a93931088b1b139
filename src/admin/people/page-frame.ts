import { ICON, MARK } from '../../mcp/http/welcome/page-style.js';
import type { AdminFailure } from '../admin-failure.js';
import { Html, html, type Part } from '../views/html.js';
import { PEOPLE_SCRIPT, PEOPLE_STYLE } from './page-look.js';

/** The person who reads a page. */
export interface PersonAtPage {
  /** The name of its key; null without one of its own. */
  readonly name: string | null;
  /** True if a key would show more. */
  readonly maySignIn: boolean;
  readonly isOperator: boolean;
}

const NOBODY: PersonAtPage = { name: null, maySignIn: false, isOperator: false };

interface Page {
  readonly title: string;
  readonly reader: PersonAtPage;
  readonly content: Part;
  /** The reader of documents is wider than the search page, has a field for the next question, and no script. */
  readonly kind: 'start' | 'answer' | 'document' | 'failure';
}

const SMALL_FORM = html`<form method="get" action="/" role="search">
  <input type="search" name="q" aria-label="Search the documents" placeholder="Search" maxlength="4000" />
</form>`;

function links({ name, maySignIn, isOperator }: PersonAtPage): Html {
  return html`<nav aria-label="Pages">
    <ul>
      ${isOperator && html`<li><a href="/admin">Console</a></li>`}${
        name !== null && html`<li class="who"><bdi>${name}</bdi></li>`
      }${maySignIn && html`<li><a href="/sign-in">Sign in</a></li>`}
    </ul>
  </nav>`;
}

/** A whole page for people. */
export function peoplePage({ title, reader, content, kind }: Page): string {
  const isDocument = kind === 'document';
  const hasLinks = reader.isOperator || reader.maySignIn || reader.name !== null;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${Html.trusted(ICON)}" />
        ${PEOPLE_STYLE}
      </head>
      <body class="${isDocument && 'wide-page'}${kind === 'start' && 'is-start'}">
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <div class="wrap">
            <a class="brand" href="/">${Html.trusted(MARK)}<span>Pith</span></a>
            ${isDocument && SMALL_FORM}${hasLinks && links(reader)}
          </div>
        </header>
        <main id="main" tabindex="-1" class="wrap">${content}</main>
        ${(kind === 'start' || kind === 'answer') && PEOPLE_SCRIPT}
      </body>
    </html> `.toString();
}

/** A page about a failure. It is the same for everybody: what is absent and what is hidden look alike. */
export function peopleFailure({
  status,
  message,
  hint,
}: Pick<AdminFailure, 'status' | 'message' | 'hint'>): string {
  return peoplePage({
    title: message,
    reader: NOBODY,
    kind: 'failure',
    content: html`<h1>${message}</h1>
      <p class="lead">${hint}</p>
      <p>
        ${status === 401 ? html`<a href="/sign-in">Sign in</a>` : html`<a href="/">Search the documents</a>`}
      </p>`,
  });
}
