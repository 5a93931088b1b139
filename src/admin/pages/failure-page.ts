import type { AdminFailure } from '../admin-failure.js';
import { html } from '../views/html.js';
import { page } from '../views/layout.js';
import { hiddenPages } from './hidden-pages.js';

/** As if every feature were off: the navigation does not tell which ones are on. */
const hidden = hiddenPages({ offered: [], needsApprovals: false, hasLedger: false, hasProviders: false });

/** The error page. It reveals nothing about the server, because anybody may see it. */
export function failurePage({ status, message, hint }: AdminFailure): string {
  return page({
    title: `${status}`,
    place: null,
    frame: { version: '', hidden },
    content: html`<section class="verdict bad" aria-labelledby="failure">
      <h1 id="failure">${message}</h1>
      <p>${hint}</p>
    </section>`,
  });
}
