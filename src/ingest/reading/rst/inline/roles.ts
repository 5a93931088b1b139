import type { SpanWriter } from '../../markdown-spans.js';
import { MAX_HREF_CHARS } from '../../parsed-document.js';
import type { References } from './references.js';

/** Roles whose text is prose. Other roles name code, files, options or keys. */
const PROSE = new Set(
  `abbr abbreviation ac acronym any cite confluence counter ctype dfn doc download eq footcite footcite:t guilabel
  index keyword mailheader menuselection mimetype newsgroup numref ref t term
  title title-reference token user`.split(/\s+/),
);
/** Roles that change what their text means, by the element of HTML. */
const MARKS: ReadonlyMap<string, 'sup' | 'sub' | 'kbd'> = new Map([
  ['kbd', 'kbd'],
  ['sub', 'sub'],
  ['subscript', 'sub'],
  ['sup', 'sup'],
  ['superscript', 'sup'],
]);
const PREFIXES: Readonly<Record<string, string>> = { pep: 'PEP ', rfc: 'RFC ', cve: 'CVE ' };
const ISSUE = /^(?:bug|bpo|gh|issue|pr|pull|pull-request|ticket)$/;

/** A text with the target in angle brackets after it. */
export interface Titled {
  /** null without a target, where the text is its own target. */
  readonly title: string | null;
  readonly target: string;
}

/** Splits `title <target>`. @param isName  true for names, which can end with angle brackets: `CMAKE_<LANG>` */
export function splitTitled(text: string, isName = false): Titled {
  const open = text.endsWith('>') ? startOfTarget(text, isName) : -1;
  const title = text.slice(0, Math.max(0, open)).trim();
  return title === '' ? { title: null, target: text } : { title, target: text.slice(open + 1, -1).trim() };
}

/** The last bracket after a space; without one the last bracket. */
function startOfTarget(text: string, isName: boolean): number {
  for (let at = text.lastIndexOf('<'); at > 0; at = text.lastIndexOf('<', at - 1)) {
    if (/\s/.test(text.charAt(at - 1))) return at;
  }
  const last = text.lastIndexOf('<');
  return isName && !text.includes('.', last) ? -1 : last;
}

/** Writes interpreted text. @param role  without colons, with or without domain */
export function writeRole(
  role: string,
  text: string,
  { refs, to }: { refs: References; to: SpanWriter },
): string {
  const name = role.slice(role.lastIndexOf(':') + 1).toLowerCase();
  const mark = MARKS.get(name);
  if (mark !== undefined) return to.mark(text, mark);
  if (name === 'math') return to.math(text);
  const { title, target } = splitTitled(text, !PROSE.has(name));
  if (name === 'doc') return writeDoc(title, target, to);
  if (name === 'ref' || name === 'any' || name === 'numref') {
    const href = refs.find(target);
    const shown = title ?? refs.titleOf(target) ?? (name === 'any' ? target : wordsOf(target));
    return href?.startsWith('#') ? to.link(shown, href) : shown;
  }
  if (name === 'emphasis' || name === 'strong') return to.emphasis(text, name === 'strong' ? '**' : '*');
  const prefix = PREFIXES[name];
  if (prefix !== undefined) return title ?? prefix + target;
  if (ISSUE.test(name)) return title ?? (/^\d+$/.test(target) ? `#${target}` : target);
  if (PROSE.has(name)) return title ?? text.replace(/^[!~]/, '');
  if (title !== null && /\s/.test(title)) return title;
  return to.code(title ?? shownName(text));
}

/** `~a.b` is shown as `b`; a leading `!` or `.` only tells Sphinx how to look up the name. */
function shownName(name: string): string {
  if (name.startsWith('~'))
    return name.slice(Math.max(name.lastIndexOf('.'), name.startsWith('~.') ? 1 : 0) + 1);
  return name.replace(/^(?:!|\.(?=[A-Za-z]))/, '');
}

/** The words of a label or of the name of a page: `big valves` for `guide:big-valves`. */
const wordsOf = (label: string): string => label.slice(label.lastIndexOf(':') + 1).replace(/[-_]/g, ' ');

function writeDoc(title: string | null, target: string, to: SpanWriter): string {
  const page = target.replace(/\s+/g, '');
  const shown = title ?? wordsOf(page.slice(page.lastIndexOf('/') + 1));
  return page.length > MAX_HREF_CHARS ? shown : to.link(shown, page);
}
