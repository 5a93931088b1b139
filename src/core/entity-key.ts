import { wholeOffset } from '../text/clip-text.js';

const MAX_KEY = 120;
/** More than this of a name changes no key worth having; NFKC can make text 18 times as long. */
const MAX_READ = 1000;

/** Most names are in this form already, but for case. */
const SIMPLE = /^[A-Za-z_][\w-]*(?:[.:/]+[\w-]*\w)*$/;
// Only names in capitals lose a bare `$`: `$ref` and `ref` are two things.
const VARIABLE =
  /^(?:process\.env\.(?=.)|import\.meta\.env\.(?=.)|\$[Ee][Nn][Vv]:(?=.)|\$(?=[A-Z_][A-Z0-9_]*$))/;
const BRACED_VARIABLE = /^(?:\$\{(?:env:)?([\w.]+)\}|%(\w+)%)$/;
const OPTION = /^(--?[a-z0-9?][\w.?-]*|--)(?![\w.])/;
const OPERATOR = /^(?:[\w:]+::)?operator\s?(?:\(\)|\[\]|[^\w\s,;()[\]]{1,3})/;
const PAIRS = new Map([
  ['`', '`'],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
  ['*', '*'],
]);
const CLOSING = new Map([
  ['(', ')'],
  ['<', '>'],
  ['[', ']'],
]);

/**
 * Says which names are one thing: two names are, when their keys are equal. Compatibility forms and case are folded;
 * white space is one space; marks around a name go (ticks, quotes, emphasis, brackets), as do punctuation behind it, call
 * and type arguments and indexes, an option's value, `./` before a path, `@` before a decorator (but not before a scoped
 * package), and what only says that a variable is read (`$env:`, `${…}`, `%…%`, Node's own way, and `$` before a name in
 * capitals). A `$` before other names is part of them, and so is what follows a C++ `operator`.
 * @returns at most 120 characters; empty where nothing is left; its own key
 */
export function entityKey(name: string): string {
  if (name.length <= MAX_KEY && SIMPLE.test(name)) return stripVariable(name).toLowerCase();
  let key = name.slice(0, wholeOffset(name, MAX_READ)).trim();
  // Two marks in a row want two rounds; what is left after a few is no name.
  for (let round = 0; round < 8; round++) {
    const next = normalise(key);
    if (next === key) return key;
    key = next;
  }
  return key;
}

function normalise(name: string): string {
  if (!/[\p{L}\p{N}]/u.test(name)) return '';
  const whole = stripVariable(stripMarks(name.normalize('NFKC').replace(/[\s\p{Cc}]+/gu, ' ')));
  const folded = whole.toLowerCase().normalize('NFKC');
  const operator = OPERATOR.exec(folded)?.[0];
  if (operator !== undefined) return clip(operator.replace('operator ', 'operator'));
  const option = OPTION.exec(folded)?.[1];
  if (option !== undefined) return clip(option === '--' ? '' : stripEnd(option));
  return clip(stripEnd(stripArguments(folded).replace(/^\.{1,2}\/(?=.)|^@(?![\w.-]+\/)/, '')));
}

function stripMarks(name: string): string {
  let from = 0;
  let to = name.length;
  while (to - from > 1 && PAIRS.get(name.charAt(from)) === name.charAt(to - 1)) {
    if (isOpenedTwice(name, from, to)) break;
    from++;
    to--;
  }
  const bare = name.slice(from, to);
  return bare.replace(/^[`"“”‘«\s]+|^'(?=\w)/, '').replace(/[`"“”»]+$/, '');
}

/** `(a) or (b)` begins and ends with brackets, yet no pair is around it. */
function isOpenedTwice(name: string, from: number, to: number): boolean {
  const opening = name.charAt(from);
  const closing = PAIRS.get(opening) ?? '';
  if (opening === closing) return false;
  const inner = name.slice(from + 1, to - 1);
  const closed = inner.indexOf(closing);
  return closed >= 0 && inner.lastIndexOf(opening, closed) < 0;
}

function stripVariable(name: string): string {
  const braced = BRACED_VARIABLE.exec(name);
  return braced?.[1] ?? braced?.[2] ?? name.slice(VARIABLE.exec(name)?.[0].length ?? 0);
}

/** Drops each bracketed group that follows a word; from a bracket that never closes, all the rest. */
function stripArguments(name: string): string {
  let kept = '';
  const open: string[] = [];
  for (const char of name) {
    if (open.length > 0) {
      if (char === open.at(-1)) open.pop();
      else if (CLOSING.has(char)) open.push(CLOSING.get(char) ?? '');
      continue;
    }
    const closing = CLOSING.get(char);
    if (closing !== undefined && /[\w$]$/.test(kept.slice(-1))) open.push(closing);
    else kept += char;
  }
  return kept;
}

function stripEnd(name: string): string {
  let end = name.length;
  while (end > 0 && '.,:;!?= '.includes(name.charAt(end - 1))) end--;
  return name.slice(0, end).trimStart();
}

function clip(name: string): string {
  return name.length <= MAX_KEY ? name : name.slice(0, wholeOffset(name, MAX_KEY)).trimEnd();
}
