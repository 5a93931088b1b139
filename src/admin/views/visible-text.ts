import { showUnseen } from '../../text/show-unseen.js';
import { html, type Part } from './html.js';

/** Text in which every character can be seen. Codes of invisible characters are marked. */
export function seen(text: string): Part {
  return showUnseen(text).map((part) =>
    part.isCode ? html`<mark title="invisible character">${part.text}</mark>` : part.text,
  );
}

/** A name from a caller or a file. */
export const seenName = (text: string): Part => html`<bdi class="id">${seen(text)}</bdi>`;
