import { wholeOffset } from '../text/span.js';

const MAX_KEY = 120;
/** Only this much of a name is read, since NFKC can make text 18 times as long. */
const MAX_READ = 1000;

/** Names that only need lower case, which most names are. */
const SIMPLE = /^[A-Za-z_][\w-]*(?:[.:/]+[\w-]*\w)*$/;
// A bare `$` is removed only from upper-case names: `$ref` and `ref` are different entities.
const VARIABLE =
  /^(?:process\.env\.(?=.)|import\.meta\.env\.(?=.)|\$[Ee][Nn][Vv]:(?=.)|\$(?=[A-Z_][A-Z0-9_]*$))/;
const BRACED_VARIABLE = /^(?:\$\{(?:env:)?([\w.]+)\}|%(\w+)%)$/;
const OPTION = /^(--?[a-z0-9?][\w.?-]*|--)(?![\w.])/;
const OPERATOR = /^(?:[\w:]+::)?operator\s?(?:\(\)|\[\]|[^\w\s,;()[\]]{1,3})/;

const pairs = (...marks: readonly string[]): ReadonlyMap<string, string> =>
  new Map(marks.map((pair) => [pair.charAt(0), pair.charAt(1)]));
/** Opening to closing mark: marks around a name, and brackets around arguments. */
const PAIRS = pairs('``', '""', "''", '“”', '‘’', '«»', '()', '[]', '{}', '<>', '**');
const CLOSING = pairs('()', '<>', '[]');

/**
 * Normalizes a name: names with equal keys are the same entity. It folds compatibility forms, case and white space,
 * and removes: marks around the name (ticks, quotes, emphasis, brackets), punctuation after it, call and type
 * arguments, indexes, the value of an option, `./` before a path, `@` before a decorator (but not before a scoped
 * package), and the syntax for reading a variable (`$env:`, `${…}`, `%…%`, the environment object of Node.js, and `$`
 * before an upper-case name). It keeps a `$` before other names, and the symbols after a C++ `operator`.
 * @returns at most 120 characters; empty if nothing is left; the key of a key is the key itself
 */
export function entityKey(name: string): string {
  if (name.length <= MAX_KEY && SIMPLE.test(name)) return stripVariable(name).toLowerCase();
  let key = name.slice(0, wholeOffset(name, MAX_READ)).trim();
  // Nested marks need one round each; a real name has only a few.
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

/** True for `(a) or (b)`, whose first and last brackets are not a pair. */
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

/** Removes each bracketed group that follows a word; after an unclosed bracket, removes the rest. */
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
