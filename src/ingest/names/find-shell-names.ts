import { type FoundName, isCmdlet, typeOfForm } from './entity-type.js';
import { KEYWORDS, PLAIN_PROGRAMS, PROGRAMS, RUNNERS, SHELL_WORDS } from './known-names.js';

/** Languages of fences. */
export const SHELLS: ReadonlySet<string> = new Set(
  'bash sh shell zsh fish console terminal cmd bat batch dos powershell pwsh ps ps1 posh shell-session sh-session shellsession'.split(
    ' ',
  ),
);
const PROMPT = /^\s*(?:\$|%|❯|PS(?: [^>\n]{0,200})?>|[A-Za-z]:\\[^>\n]{0,200}>|[\w.@~/-]{1,60}[$#%])\s+/;
const ASSIGNMENT = /^(?:\$[Ee][Nn][Vv]:)?([A-Za-z_]\w*)=/;
const PROGRAM = /^(?:\.{0,2}\/[\w./-]*\/|\.\/|\/)?([A-Za-z][\w.+-]*)$/;
export const POWERSHELLS: ReadonlySet<string> = new Set(['powershell', 'pwsh', 'ps', 'ps1', 'posh']);
const SUB_COMMAND = /^[a-z][a-z0-9]*(?:[-:][a-z0-9]+)*$/;
const VARIABLE =
  /\$\{?(?:[Ee][Nn][Vv]:)?([A-Z][A-Z0-9_]{1,60})\b|%([A-Z][A-Z0-9_]{1,60})%|\$\{?[Ee][Nn][Vv]:(\w{2,60})/g;
const OPTION = /^--?[A-Za-z][\w-]*/;
// Characters of program code, which command arguments contain only inside quotes.
const PROGRAMMING = /[;{}()=]\s|[({;]$|=>|\($|^[^-]*\(/;

/** True when a fence without a language contains shell prompts. */
export function hasPrompt(code: string): boolean {
  return /^\s*(?:\$|PS(?: [^>\n]{0,200})?>|[A-Za-z]:\\[^>\n]{0,200}>)\s+\S/m.test(code.slice(0, 2000));
}

/** Finds programs, subcommands, cmdlets, options and variables. Among lines with prompts, lines without are output. */
export function findShellNames(code: string, language = ''): FoundName[] {
  const lines = code.replace(/\\\r?\n|`\n|\^\n/g, ' ').split('\n');
  const typed = lines.filter((line) => PROMPT.test(line));
  return (typed.length > 0 ? typed : lines)
    .flatMap((line) => lineNames(line.replace(PROMPT, '')))
    .filter(
      ({ name, type }) =>
        type !== 'EnvironmentVariable' || !POWERSHELLS.has(language) || readsVariable(code, name),
    );
}

/** In PowerShell, `$NAME` is a script variable; environment variables are read as `$env:NAME`. */
function readsVariable(code: string, name: string): boolean {
  return code.toLowerCase().includes(`$env:${name.toLowerCase()}`);
}

function lineNames(line: string): FoundName[] {
  // The patterns below look for blanks before a mark and would be slow on long runs of blanks.
  const bare = line.replace(/\s+/g, ' ').trim();
  if (bare === '' || bare.startsWith('#') || /^(?:rem\b|::|```|~~~)/i.test(bare)) return [];
  const variables = [...bare.matchAll(VARIABLE)].map(([, plain, percent, named]): FoundName => ({
    name: plain ?? percent ?? named ?? '',
    type: 'EnvironmentVariable',
  }));
  return [...bare.split(/\s*(?:\|\|?|&&|;)\s*|\s#\s.*/).flatMap(commandNames), ...variables];
}

function commandNames(command: string): FoundName[] {
  const words = command.split(/\s+/).filter((word) => word !== '');
  const names: FoundName[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    const variable = ASSIGNMENT.exec(word)?.[1];
    if (variable !== undefined && (variable === variable.toUpperCase() || /^\$env:/i.test(word))) {
      names.push({ name: variable, type: 'EnvironmentVariable' });
      continue;
    }
    if (!RUNNERS.has(word) && !['export', 'set', 'setx'].includes(word)) break;
  }
  const name = programOf(words, at);
  if (name !== null) names.push({ name, type: 'Command' });
  return [...names, ...optionNames(words.slice(at)), ...cmdletNames(words.slice(at + 1))];
}

/** A program, with its subcommand if the second word is a plain word. */
function programOf(words: readonly string[], at: number): string | null {
  const word = words[at] ?? '';
  if (isCmdlet(word)) return word;
  const program = PROGRAM.exec(word)?.[1] ?? '';
  // A capitalised word is not a program, except known ones such as MSBuild. A word before `=` or `:` is not one either.
  const isLower = /^[a-z]/.test(program) || PROGRAMS.has(program.toLowerCase());
  if (!isLower || /^[=:]/.test(words[at + 1] ?? '')) return null;
  if (program.length < 2 || SHELL_WORDS.has(program.toLowerCase()) || isKeywordOnly(program)) return null;
  const second = words[at + 1] ?? '';
  const isPlain = program === word && !PLAIN_PROGRAMS.has(program.toLowerCase()) && SUB_COMMAND.test(second);
  return isPlain ? `${program} ${second}` : program;
}

function isKeywordOnly(program: string): boolean {
  return KEYWORDS.has(program) && !PROGRAMS.has(program) && !PLAIN_PROGRAMS.has(program);
}

function optionNames(words: readonly string[]): FoundName[] {
  return words.flatMap((word): FoundName[] => {
    const name = OPTION.exec(word.replace(/^[[("']+/, ''))?.[0];
    if (name !== undefined) return [{ name, type: typeOfForm(name) ?? 'Option' }];
    return typeOfForm(word) === 'Option' ? [{ name: word, type: 'Option' }] : [];
  });
}

function cmdletNames(words: readonly string[]): FoundName[] {
  return words
    .map((word) => word.replace(/^[$({@"']+|[)};,"']+$/g, ''))
    .filter(isCmdlet)
    .map((name) => ({ name, type: 'Command' }));
}

/** True when a span is a command line: a program, then words, options or paths. @param programs  of the document */
export function isCommandLine(span: string, programs: ReadonlySet<string>): boolean {
  const words = span.split(' ');
  const first = words[0] ?? '';
  if (words.length < 2) return false;
  if (isCmdlet(first) || (first === '$' && words.length > 1)) return true;
  if (!PROGRAM.test(first) || PROGRAMMING.test(span) || KEYWORDS.has(first)) return false;
  if (PROGRAMS.has(first) || programs.has(first)) return true;
  return /^[a-z]/.test(first) && words.slice(1).some((word) => /^--?[a-z]/.test(word));
}
