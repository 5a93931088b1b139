/** Asciidoctor's methods that convert the text of a paragraph, an item, a title or a cell. */
export interface Substitutions {
  applySubs(text: string | string[], subs?: readonly string[]): Promise<string | string[]>;
  subMacros(text: string): Promise<string>;
  subReplacements(text: string): string;
}

/** Longer texts stay as written: some patterns of Asciidoctor take quadratic time. */
const MAX_INLINE_CHARS = 10_000;
const VERBATIM = ['specialcharacters'];

/** Backslashes that keep Asciidoctor from replacing characters: `\--`, `\...`, `\->`. */
const ESCAPED = /\\(?=--(?:\s|$)|\.{3}|\((?:C|R|TM)\)|-&gt;|=&gt;|&lt;[-=])/g;
const ENTITY = /&amp;(?=(?:[a-zA-Z]{2,31}\d{0,2}|#\d{2,7}|#x[\da-fA-F]{2,6});)/g;

/** Macros for pages of manuals, as in Git (`linkgit:git-add[1]`). */
const MANUAL_PAGE = /(?<![\w:])(?:link[a-z]+|man|manpage):([\w.+-]+)\[([1-9]\w?)\]/g;

/** The replaced methods. @param original  Asciidoctor's own */
export function textSubstitutions({ applySubs, subMacros }: Substitutions): Substitutions {
  return {
    applySubs(text, subs) {
      const length = Array.isArray(text) ? text.reduce((sum, line) => sum + line.length + 1, 0) : text.length;
      const isInline =
        subs === undefined || subs.some((name) => name !== 'specialcharacters' && name !== 'callouts');
      return applySubs.call(this, text, isInline && length > MAX_INLINE_CHARS ? VERBATIM : subs);
    },
    async subMacros(text) {
      const end = startOfUnclosedXref(text);
      const converted = await subMacros.call(this, text.slice(0, end));
      return converted.replace(MANUAL_PAGE, '<a href="$1.adoc">$1($2)</a>') + text.slice(end);
    },
    // Quotes stay verbatim: no typographic apostrophes, dashes, ellipses and arrows.
    subReplacements: (text) => text.replace(ESCAPED, '').replace(ENTITY, '&'),
  };
}

/** Asciidoctor looks for the end of an unclosed `xref:` in cubic time. */
function startOfUnclosedXref(text: string): number {
  let closed = text.lastIndexOf(']');
  while (closed > 0 && text[closed - 1] === '\\') closed = text.lastIndexOf(']', closed - 1);
  const at = text.indexOf('xref:', closed + 1);
  return at < 0 ? text.length : at;
}
