import type { Domain } from '../../config/settings/domains.config.js';
import type { AdminFailure } from '../admin-failure.js';
import { html } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';

interface NotOffered {
  /** The things that the page lists where they are offered. */
  readonly title: string;
  readonly place: string;
  /** The namespace whose tools make it. */
  readonly domain: Domain;
}

/** The page of a server that does not offer a namespace. */
export function notOfferedPage({ title, place, domain }: NotOffered, frame: Frame): string {
  return page({
    title,
    place,
    frame,
    content: html`<h1>${title}</h1>
      <p class="empty">
        This server does not offer ${title.toLowerCase()}. To offer them, add <code>${domain}</code> to
        <code>MCP_DOMAINS</code>. See <code>docs/domains.md</code>.
      </p>`,
  });
}

/** The error page. It reveals nothing about the server, because anybody may see it. */
export function failurePage({ status, message, hint }: AdminFailure, menu: Frame['menu']): string {
  return page({
    title: `${status}`,
    place: null,
    frame: { version: '', menu },
    content: html`<section class="verdict bad" aria-labelledby="failure">
      <h1 id="failure">${message}</h1>
      <p>${hint}</p>
    </section>`,
  });
}
