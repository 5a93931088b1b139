import type { Verdict } from '../../diagnostics/report/tell-verdict.js';
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

/** The verdict on a retrieval, with its causes. */
export function verdictBox({ tone, headline, why }: Verdict): Html {
  return html`<section class="verdict ${tone}" aria-labelledby="verdict">
    <h2 id="verdict"><span class="sign" aria-hidden="true">${SIGNS[tone]}</span>${headline}</h2>
    ${
      why.length > 0 &&
      html`<ul class="why">
        ${why.map((line) => html`<li>${line}</li>`)}
      </ul>`
    }
  </section>`;
}

/** A verdict in a row of a table. */
export function verdictMark({ tone, headline }: Verdict): Html {
  return said(tone, headline);
}
