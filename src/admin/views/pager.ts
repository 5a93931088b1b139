import { type Html, html } from './html.js';

interface Pager {
  /** Name of the list in sentences, such as `the list`. */
  readonly of: string;
  /** Address of the first page; null on the first page. */
  readonly first: string | null;
  /** Address of the next page; null on the last page. */
  readonly next: string | null;
  /** Default: the newest rows come first. */
  readonly words?: readonly [first: string, next: string];
}

/** Links to the first and the next page of a list. */
export function pager({ of, first, next, words: [begin, more] = ['Newest', 'Older'] }: Pager): Html {
  return html`<nav class="pager" aria-label="Pages of ${of}">
    ${first !== null && html`<a href="${first}">← ${begin}</a>`}
    ${next !== null && html`<a rel="next" href="${next}">${more} →</a>`}
  </nav>`;
}

/** The address of a list with these filters. Undefined ones are left out. */
export function listAddress(path: string, query: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return `${path}?${params.toString()}`;
}
