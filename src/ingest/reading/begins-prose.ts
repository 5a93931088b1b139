/** The start of a list item, quotation, table, heading, tag, fence, rule, picture or link definition. */
const OTHER = /^(?:[-*+] |\d{1,9}[.)] |[>|#<]|`{3}|~{3}|[-=]{3}|!\[|\[[^\]\n]{1,300}\]:)/;

/** True for a line of Markdown that can stand in one paragraph with the line above it. */
export function beginsProse(line: string): boolean {
  return /^\S/.test(line) && !OTHER.test(line);
}
