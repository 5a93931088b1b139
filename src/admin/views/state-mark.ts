import { type Html, html } from './html.js';

/** Good, needs a look, or bad; shown as a colour and a sign. */
export type Tone = 'good' | 'warn' | 'bad';

export const SIGNS = { good: '✓', warn: '!', bad: '×' } as const;

/** A state in a row of a table. */
export function said(tone: Tone, words: string): Html {
  return html`<span class="said ${tone}"
    ><span class="sign" aria-hidden="true">${SIGNS[tone]}</span>${words}</span
  >`;
}
