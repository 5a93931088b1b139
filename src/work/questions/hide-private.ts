import { hideSecrets } from '../../governance/files/secret-values.js';

/** Replaces what the operator lists. */
const HIDDEN = '[redacted]';
/** Longest part that `*` stands for. An entry has at most two, so that matching takes linear time. */
const MAX_PART = 40;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** The pattern of an entry: `*` for characters that are no white space, `#` for a digit, a space for any white space. */
function pattern(entry: string): RegExp {
  const source = Array.from(entry.trim(), (character) => {
    if (character === '#') return String.raw`\d`;
    if (/\s/.test(character)) return String.raw`\s+`;
    if (character === '*') return String.raw`[^\s]{0,${MAX_PART}}`;
    return escaped(character);
  });
  const start = entry.trim().startsWith('*') ? '' : String.raw`(?<![\p{L}\p{N}])`;
  // Nothing follows that can fail, so this takes linear time.
  const end = entry.trim().endsWith('*') ? String.raw`[^\s]*` : String.raw`(?![\p{L}\p{N}])`;
  return new RegExp(start + source.join('') + end, 'giu');
}

/** Makes the function that replaces secrets, and what the entries name, in a text. @param entries  of PITH_QUESTIONS_REDACT */
export function privateHider(entries: readonly string[]): (text: string) => string {
  const patterns = entries.map(pattern);
  return (text) => patterns.reduce((hidden, each) => hidden.replace(each, HIDDEN), hideSecrets(text));
}
