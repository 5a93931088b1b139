import type { AdminFailure } from '../admin-failure.js';
import { html } from '../views/html.js';
import { page } from '../views/layout.js';

/** Why there is no page, and what to do. It tells nothing of the server, since anybody may see it. */
export function failurePage({ status, message, hint }: AdminFailure): string {
  return page({
    title: `${status}`,
    place: null,
    version: '',
    content: html`<section class="verdict bad" aria-labelledby="failure">
      <h1 id="failure">${message}</h1>
      <p>${hint}</p>
    </section>`,
  });
}
