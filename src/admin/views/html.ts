const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Markup; only `html` makes it, from texts that it escapes. */
export class Html {
  private constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }

  /** For what is written in our own files. */
  static trusted(markup: string): Html {
    return new Html(markup);
  }
}

/** What may stand in a template; null, undefined and false stand for nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** As text or as the value of a quoted attribute; control characters, which no page may hold, are made visible. */
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

/** Markup with everything escaped that is put into it. Values of attributes have to stand in quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return Html.trusted(strings.map((text, i) => text + (i < parts.length ? rendered(parts[i]) : '')).join(''));
}
