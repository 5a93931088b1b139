import { findCode } from './find-code.js';

const LABEL = /^\(\w[\w .:/-]{0,100}\)=$/;
/** A longer name is no role. */
const MAX_ROLE_CHARS = 50;
const ROLE = /\{[A-Za-z][\w:.+-]*\}$/;

/** Removes marks of MyST (Sphinx) outside code: lines with a label, and the role before code, as in {func}`open`. */
export function stripMyst(text: string): string {
  const isMarked = text.includes('}`') || text.includes(')=');
  return isMarked ? stripLabels(stripRoles(text)) : text;
}

function stripRoles(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of findCode(text)) {
    const before = text.slice(from, start);
    const role = ROLE.exec(before.slice(-MAX_ROLE_CHARS))?.[0] ?? '';
    kept.push(before.slice(0, before.length - role.length), text.slice(start, end));
    from = end;
  }
  return kept.join('') + text.slice(from);
}

/** Only at the start of a block, where MyST reads them. */
function stripLabels(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !LABEL.test(line.trimEnd()));
  return first < 0 ? '' : lines.slice(first).join('\n');
}
