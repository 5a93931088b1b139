/** Directives of MyST, and labels: `{note}` after a fence, `(name)=`. */
const MARKS = /^(?:[ \t]*(?:`{3,}|~{3,}|:{3,})[ \t]*\{[A-Za-z]|\(\w[\w .:/-]{0,100}\)=[ \t]*$)/m;
const FIRST_COMMENTS = /^(?:%[^\n]*(?:\n|$)|[ \t]*\n)+/;

/** True for Markdown that has syntax of MyST only. */
export const hasMystMarks = (text: string): boolean => MARKS.test(text);

/** Markdown of Sphinx with blank lines for the comments at its top, which Pandoc would take for the title. */
export function blankFirstComments(text: string): string {
  if (!text.startsWith('%')) return text;
  return text.replace(FIRST_COMMENTS, (lines) => lines.replace(/[^\n]+/g, ''));
}
