interface AsciidocDocument {
  /** The document around a cell with blocks. */
  readonly parentDocument?: AsciidocDocument | null;
}

/** Asciidoctor's methods that convert the text of a paragraph, an item, a title or a cell. */
export interface Substitutions {
  /** Absent from the class, present in every node. */
  readonly document?: AsciidocDocument;
  applySubs(text: string | string[], subs?: readonly string[]): Promise<string | string[]>;
  subMacros(text: string): Promise<string>;
  /** @returns null for a line that is dropped */
  subAttributes(text: string, options?: object): string | null;
  subReplacements(text: string): string;
}

/** Longer texts stay as written: some patterns of Asciidoctor take quadratic time. */
const MAX_INLINE_CHARS = 10_000;
/** Limit for all that attributes add to a document; above it, references stay as written. */
const MAX_EXPANDED_CHARS = 250_000;
const VERBATIM = ['specialcharacters'];

/** Backslashes that keep Asciidoctor from replacing characters: `\--`, `\...`, `\->`. */
const ESCAPED = /\\(?=--(?:\s|$)|\.{3}|\((?:C|R|TM)\)|-&gt;|=&gt;|&lt;[-=])/g;
const ENTITY = /&amp;(?=(?:[a-zA-Z]{2,31}\d{0,2}|#\d{2,7}|#x[\da-fA-F]{2,6});)/g;

/** Macros for pages of manuals, as in Git (`linkgit:git-add[1]`). */
const MANUAL_PAGE = /(?<![\w:])(?:link[a-z]+|man|manpage):([\w.+-]+)\[([1-9]\w?)\]/g;

/** The replaced methods; the parameter has Asciidoctor's own. */
export function textSubstitutions({ applySubs, subMacros, subAttributes }: Substitutions): Substitutions {
  const expandedChars = new WeakMap<object, number>();
  return {
    applySubs(text, subs) {
      const length = Array.isArray(text) ? text.reduce((sum, line) => sum + line.length + 1, 0) : text.length;
      const isInline =
        subs === undefined || subs.some((name) => name !== 'specialcharacters' && name !== 'callouts');
      return applySubs.call(this, text, isInline && length > MAX_INLINE_CHARS ? VERBATIM : subs);
    },
    subAttributes(text, options) {
      const root = rootOf(this.document);
      const expanded = expandedChars.get(root) ?? 0;
      if (text.length > MAX_INLINE_CHARS || expanded > MAX_EXPANDED_CHARS) return text;
      const converted = subAttributes.call(this, text, options);
      const length = converted?.length ?? 0;
      expandedChars.set(root, expanded + Math.max(0, length - text.length));
      return length > MAX_INLINE_CHARS ? text : converted;
    },
    async subMacros(text) {
      // Attributes and marks may have made it longer.
      if (text.length > MAX_INLINE_CHARS) return text;
      const end = startOfUnclosedXref(text);
      const converted = await subMacros.call(this, text.slice(0, end));
      return converted.replace(MANUAL_PAGE, '<a href="$1.adoc">$1($2)</a>') + text.slice(end);
    },
    // Quotes stay verbatim: no typographic apostrophes, dashes, ellipses and arrows.
    subReplacements: (text) => text.replace(ESCAPED, '').replace(ENTITY, '&'),
  };
}

const NO_DOCUMENT = {};

function rootOf(document: AsciidocDocument | undefined): object {
  let root = document;
  while (root?.parentDocument) root = root.parentDocument;
  return root ?? NO_DOCUMENT;
}

/** Asciidoctor looks for the end of an unclosed `xref:` in cubic time. */
function startOfUnclosedXref(text: string): number {
  let closed = text.lastIndexOf(']');
  while (closed > 0 && text[closed - 1] === '\\') closed = text.lastIndexOf(']', closed - 1);
  const at = text.indexOf('xref:', closed + 1);
  return at < 0 ? text.length : at;
}
