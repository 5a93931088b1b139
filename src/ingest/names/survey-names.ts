import type { EntityType } from '../../core/graph-model.js';
import type { Fence, MaskedText } from '../reading/markdown/mask-code.js';
import { type FoundName, isCapitals } from './entity-type.js';
import { findShellNames, hasPrompt, POWERSHELLS, SHELLS } from './find-shell-names.js';

/** Facts about a document that decide the type of names with an ambiguous form. */
export interface NameEvidence {
  readonly programs: ReadonlySet<string>;
  /** Keys in its YAML, TOML and INI fences, and in JSON fences of sections about settings. */
  readonly keys: ReadonlySet<string>;
  /** Dotted names that its code calls. */
  readonly called: ReadonlySet<string>;
  /** C and C++ headers that its code includes. */
  readonly headers: ReadonlySet<string>;
  /** Upper-case words that its code uses as identifiers. */
  readonly constants: ReadonlySet<string>;
  /** True when it has PowerShell code; in other documents, words such as Read-Only are English. */
  readonly hasCmdlets: boolean;
  readonly hasSettings: boolean;
  /** True when it mentions constants or macros and the current section does not mention the environment. */
  readonly hasConstants: boolean;
}

/** Upper-case words are environment variables, unless they are constants or belong to the Windows registry. */
export function typeOfCapitals(name: string, { constants, hasConstants }: NameEvidence): EntityType {
  return constants.has(name) || /^(?:HKEY|REG)_/.test(name) || hasConstants
    ? 'Symbol'
    : 'EnvironmentVariable';
}

/** Frequency of each identifier in code; identifiers joined by dots, `::` or `->` count as one. */
export type CodeWords = ReadonlyMap<string, number>;

interface UsedWords {
  readonly called: Set<string>;
  readonly constants: Set<string>;
}

interface SurveyedFences {
  /** Names in its command lines, then environment variables in its other fences, with repeats. */
  readonly names: readonly FoundName[];
  /** Identifiers in its other fences. */
  readonly words: CodeWords;
}

const CODE_WORD = /[@$]?[A-Za-z_][\w$]*(?:(?:\.|::|->|-(?=[A-Z]))[\w$]+)*/g;
// Used in braces, or set at the start of a line as in .env files, Dockerfiles and Compose files.
const VARIABLE =
  /\$\{([A-Z][A-Z0-9_]+)\}|\$env:(\w{2,})|^[ \t]*(?:export |ENV |- )?([A-Z][A-Z0-9]*_[A-Z0-9_]+)=/gm;
const YAML_KEY = /^[ \t]*(?:-[ \t]+)?["']?([A-Za-z_][\w./-]*)["']?:(?:[ \t]|$)/gm;
const INI_KEY = /^[ \t]*([A-Za-z_][\w.-]*)[ \t]*=/gm;
const JSON_KEY = /"([A-Za-z_$][\w.$-]*)"[ \t]*:/g;
const INCLUDE = /#[ \t]*include[ \t]*<([\w./+-]+)>/g;
const KEY_PATTERNS: ReadonlyMap<string, RegExp> = new Map([
  ...['yaml', 'yml'].map((language) => [language, YAML_KEY] as const),
  ...['toml', 'ini', 'properties', 'conf', 'cfg'].map((language) => [language, INI_KEY] as const),
  ...['json', 'jsonc', 'json5'].map((language) => [language, JSON_KEY] as const),
]);
/** Languages in which upper-case words are data, not constants. */
const DATA_LANGUAGES = new Set(
  ['', 'json', 'jsonc', 'json5', 'yaml', 'yml', 'toml', 'ini', 'env', 'dotenv', 'properties', 'conf'].concat(
    'dockerfile docker makefile text txt output plaintext log http xml html'.split(' '),
  ),
);
const SETTINGS = /config|setting|\.ya?ml\b|\.toml\b|\.ini\b/i;
const ENVIRONMENT =
  /environment[- ]variable|environment block|process environment|(?:from|through|in) the environment\b(?! of)|\benv\b|\benviron\b|getenv/i;
const CONSTANTS = /#define|#if|macro|constant|enum|class|struct|flag|token|decorator|HRESULT/i;
/** Languages in which upper-case words are constants, even if the document doesn't mention constants. */
const C_LANGUAGES = new Set('c cpp c++ h hpp csharp cs idl rc asm masm vb'.split(' '));

/** Reads the fences of each section, and collects evidence for the types of the names in the document. */
export function surveyNames(
  texts: readonly string[],
  masked: readonly MaskedText[],
): { readonly fences: readonly SurveyedFences[]; readonly evidence: NameEvidence } {
  const used: UsedWords = { called: new Set(), constants: new Set() };
  const fences = masked.map(({ fences: own }) => readFences(own, used));
  const all = masked.flatMap(({ fences: own }) => own);
  const keys = masked.flatMap(({ fences: own }, i) => own.flatMap((fence) => keysOf(fence, texts[i] ?? '')));
  const commands = fences.flatMap(({ names }) => names.filter(({ type }) => type === 'Command'));
  const evidence: NameEvidence = {
    ...used,
    programs: new Set(commands.map(({ name }) => name.split(' ')[0] ?? name)),
    keys: new Set(keys),
    headers: new Set(all.flatMap(({ code }) => [...code.matchAll(INCLUDE)].map(([, name]) => name ?? ''))),
    hasSettings: texts.some((text) => SETTINGS.test(text)),
    hasCmdlets: all.some(({ language }) => POWERSHELLS.has(language)),
    hasConstants:
      all.some(({ language }) => C_LANGUAGES.has(language)) || texts.some((text) => CONSTANTS.test(text)),
  };
  return { fences, evidence };
}

/** True when a text mentions the process environment. */
export function namesEnvironment(text: string): boolean {
  return /env/i.test(text) && ENVIRONMENT.test(text);
}

function readFences(fences: readonly Fence[], used: UsedWords): SurveyedFences {
  const shellNames: FoundName[] = [];
  const variables: FoundName[] = [];
  const words = new Map<string, number>();
  for (const fence of fences) {
    if (SHELLS.has(fence.language) || (fence.language === '' && hasPrompt(fence.code))) {
      for (const name of findShellNames(fence.code, fence.language)) shellNames.push(name);
      continue;
    }
    addWords(fence, words, used);
    for (const name of findVariables(fence.code)) variables.push(name);
  }
  return { names: [...shellNames, ...variables], words };
}

function findVariables(code: string): FoundName[] {
  return [...code.matchAll(VARIABLE)].map(([, braced, named, set]) => ({
    name: braced ?? named ?? set ?? '',
    type: 'EnvironmentVariable',
  }));
}

function addWords({ code, language }: Fence, words: Map<string, number>, used: UsedWords): void {
  const isProgram = !DATA_LANGUAGES.has(language);
  for (const { 0: word, index } of code.matchAll(CODE_WORD)) {
    words.set(word, (words.get(word) ?? 0) + 1);
    if (code.charAt(index + word.length) === '(') used.called.add(word);
    // In quotes it is the name of a variable, not a constant.
    if (isProgram && isCapitals(word) && !`"'\`{`.includes(code.charAt(index - 1))) used.constants.add(word);
  }
}

/** JSON fences show messages as often as settings, so JSON keys count only in sections about settings. */
function keysOf({ language, code }: Fence, text: string): string[] {
  const pattern = KEY_PATTERNS.get(language);
  if (!pattern || (pattern === JSON_KEY && (code.includes('"jsonrpc"') || !SETTINGS.test(text)))) return [];
  return [...code.matchAll(pattern)].map(([, key]) => key ?? '');
}
