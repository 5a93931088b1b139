/** Longest import up to and including its `from`. */
const MAX_OPENING_CHARS = 5000;
const STATEMENT =
  /^(?:import\s*(?:['"][^'"\n]+['"]|[\w$*{][^'"]*?\bfrom\s*['"][^'"\n]+['"])|export\s+(?:(?:const|let|var)\s+[\w$[{]|(?:default\s+)?(?:async\s+)?function\b\s*[\w$*(]|(?:default\s+)?class\s+[\w$]|default\s+[^\n]*(?:;|\(|\{|=>)[ \t]*(?:\n|$)|[{*]))/;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const UNFINISHED = /(?:[=,(+?:&|[{]|=>|\bfrom)$/;

/** Characters that may still be scanned without finding a complete statement. Keeps the scan linear. */
export interface EsmBudget {
  left: number;
}

/** Finds the end of the import and export statements that start a paragraph at `at`; `at` if there is none. */
export function endOfEsm(text: string, at: number, budget: EsmBudget = { left: 1_000_000 }): number {
  let end = at;
  while (startsStatement(text, end, budget)) end = endOfStatement(text, end, budget);
  return end;
}

function startsStatement(text: string, at: number, budget: EsmBudget): boolean {
  if (budget.left < 0 || (!text.startsWith('import', at) && !text.startsWith('export', at))) return false;
  const starts = STATEMENT.test(text.slice(at, at + MAX_OPENING_CHARS));
  if (!starts) budget.left -= MAX_OPENING_CHARS;
  return starts;
}

function endOfStatement(text: string, from: number, budget: EsmBudget): number {
  const open: string[] = [];
  for (let at = from; at < text.length;) {
    const char = text.charAt(at);
    if (char === '\n' && open.length === 0 && isFinished(text, from, at)) return at + 1;
    const closing = CLOSING[char];
    if (closing !== undefined) open.push(closing);
    if (char === open.at(-1)) open.pop();
    at = skipToken(text, at);
  }
  if (open.length === 0) return text.length;
  budget.left -= text.length - from;
  const blank = text.indexOf('\n\n', from);
  return blank < 0 ? text.length : blank + 1;
}

function isFinished(text: string, from: number, lineEnd: number): boolean {
  const line = text
    .slice(Math.max(from, text.lastIndexOf('\n', lineEnd - 1) + 1, lineEnd - 200), lineEnd)
    .trimEnd();
  return line === '' || !UNFINISHED.test(line);
}

/** Skips a whole string or comment, else one character. */
function skipToken(text: string, at: number): number {
  const char = text.charAt(at);
  if (char === '"' || char === "'" || char === '`') return endOfString(text, at);
  if (text.startsWith('//', at)) return orEnd(text, text.indexOf('\n', at));
  if (text.startsWith('/*', at)) return orEnd(text, text.indexOf('*/', at + 2));
  return at + 1;
}

function orEnd(text: string, found: number): number {
  return found < 0 ? text.length : found;
}

/** Finds the end of a JavaScript string. A quote that is not closed on its line is an apostrophe in prose. */
export function endOfString(text: string, at: number): number {
  const quote = text.charAt(at);
  for (let index = at + 1; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\\') index++;
    if (char === quote) return index + 1;
    if (char === '\n' && quote !== '`') return at + 1;
  }
  return at + 1;
}
