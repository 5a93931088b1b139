import type { AdminFailure } from '../admin-failure.js';
import { type Html, html, type Part } from '../views/html.js';
import { linkBar, wholePage } from '../views/layout.js';
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
  /** Default: nobody who is known. */
  readonly reader?: PersonAtPage;
  readonly content: Part;
  /** Only the search page has a script. Documents have a field for the next question; they are wide beside their contents. */
  readonly kind: 'start' | 'answer' | 'document' | 'wide' | 'failure' | 'plain';
}

const SMALL_FORM = html`<form method="get" action="/" role="search">
  <input type="search" name="q" aria-label="Search the documents" placeholder="Search" maxlength="4000" />
</form>`;

const links = ({ name, maySignIn, isOperator }: PersonAtPage): Part =>
  (isOperator || maySignIn || name !== null) &&
  linkBar(
    html`${isOperator && html`<li><a href="/admin">Console</a></li>`}${
      name !== null && html`<li class="who"><bdi>${name}</bdi></li>`
    }${maySignIn && html`<li><a href="/sign-in">Sign in</a></li>`}`,
  );

/** How agents connect. @param endpoint  the address of the MCP endpoint */
export const connectPart = (endpoint: string): Html =>
  html`<p>Paste this address into your MCP host, as a server over Streamable HTTP:</p>
    <pre tabindex="0">${endpoint}</pre>
    <p>
      If the server asks for a token or a key, the host sends it as <code>Authorization: Bearer …</code>
    </p>`;

/** A whole page for people. */
export function peoplePage({ title, reader = NOBODY, content, kind }: Page): string {
  const isSearch = kind === 'start' || kind === 'answer';
  return wholePage({
    title,
    style: PEOPLE_STYLE,
    bodyClass: `page-${kind}`,
    home: '/',
    bar: [!isSearch && kind !== 'plain' && SMALL_FORM, links(reader)],
    main: content,
    end: isSearch && PEOPLE_SCRIPT,
  });
}

/** A page about a failure. It is the same for everybody: what is absent and what is hidden look alike. */
export function peopleFailure({
  status,
  message,
  hint,
}: Pick<AdminFailure, 'status' | 'message' | 'hint'>): string {
  return peoplePage({
    title: message,
    kind: status === 404 ? 'failure' : 'plain',
    content: html`<h1>${message}</h1>
      <p class="lead">${hint}</p>
      ${status === 401 && html`<p><a href="/sign-in">Sign in</a></p>`}
      ${status !== 401 && status !== 403 && html`<p><a href="/">Search the documents</a></p>`}`,
  });
}
