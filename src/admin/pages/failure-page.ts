import type { AdminFailure } from '../admin-failure.js';
import { OWN_MENU } from '../console.pages.js';
import { html } from '../views/html.js';
import { page } from '../views/layout.js';

/** The error page. It reveals nothing about the server, because anybody may see it. */
export function failurePage({ status, message, hint }: AdminFailure): string {
  return page({
    title: `${status}`,
    place: null,
    frame: { version: '', menu: OWN_MENU },
    content: html`<section class="verdict bad" aria-labelledby="failure">
      <h1 id="failure">${message}</h1>
      <p>${hint}</p>
    </section>`,
  });
}
