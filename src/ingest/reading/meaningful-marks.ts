/** Tags that Markdown has no marks for and whose text means something else without them. */
const KEPT = /^(?:ins|kbd|sub|sup)$/;
const STRUCK = /^(?:del|s|strike)$/;

/**
 * Writes a part of a line whose element changes what it means: `10<sup>6</sup>`, `<kbd>Ctrl</kbd>`, `~~old~~`. All formats
 * are written like that, as people write it in Markdown.
 * @param name  of the HTML element, in lower case
 * @returns the text alone for other elements, and for text that is not on one line
 */
export function markText(name: string, text: string): string {
  const bare = text.trim();
  if (bare === '' || text.includes('\n')) return text;
  const [before = '', after = ''] = text.split(bare, 2);
  if (KEPT.test(name)) return `${before}<${name}>${bare}</${name}>${after}`;
  if (STRUCK.test(name)) return `${before}~~${bare}~~${after}`;
  return name === 'q' ? `${before}"${bare}"${after}` : text;
}

/** The mark that `markText` writes for a tag, at the place of the tag; '' for other tags. */
export function tagMark({ name, form }: { readonly name: string; readonly form: string }): string {
  if (form === 'self') return '';
  if (KEPT.test(name)) return `<${form === 'close' ? '/' : ''}${name}>`;
  if (STRUCK.test(name)) return '~~';
  return name === 'q' ? '"' : '';
}
