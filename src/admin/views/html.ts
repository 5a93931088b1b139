import { formatTime } from '../../diagnostics/report/format.js';
import { showUnseen } from '../../text/show-unseen.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Markup. It is made by `html`, which escapes texts, or by `trusted`. */
export class Html {
  private constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }

  /** For constant markup in our own files. */
  static trusted(markup: string): Html {
    return new Html(markup);
  }
}

/** A value in a template; null, undefined and false render as nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** Escapes text and quoted attribute values; replaces control characters, which HTML forbids. */
function escaped(text: string): string {
  const shown = text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd');
  return shown.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '');
}

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string') return escaped(part);
  return typeof part === 'number' ? String(part) : part.map(rendered).join('');
}

/** Makes markup and escapes all inserted values. Attribute values must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return Html.trusted(strings.map((text, i) => text + (i < parts.length ? rendered(parts[i]) : '')).join(''));
}

/** Text in which every character can be seen. Codes of invisible characters are marked. */
export function seen(text: string): Part {
  return showUnseen(text).map((part) =>
    part.isCode ? html`<mark title="invisible character">${part.text}</mark>` : part.text,
  );
}

/** A name from a caller or a file. */
export const seenName = (text: string): Part => html`<bdi class="id">${seen(text)}</bdi>`;

/** A time in UTC, for people and programs. @param time  milliseconds since the epoch, or ISO-8601 */
export function timeAt(time: number | string): Html {
  const iso = typeof time === 'number' ? new Date(time).toISOString() : time;
  return html`<time datetime="${iso}">${formatTime(iso)}</time>`;
}
