import {
  type FoundName,
  isCapitals,
  isCmdlet,
  isDomain,
  isNoise,
  isUnmistakable,
  typeOfForm,
} from './entity-type.js';
import { findErrorNames } from './find-prose-names.js';
import { findShellNames, isCommandLine } from './find-shell-names.js';
import { INTRODUCERS } from './known-names.js';
import { type NameEvidence, typeOfCapitals } from './survey-names.js';

// An identifier, or several joined by dots, colons, arrows, slashes or hyphens.
const HEAD = /^[@$#]?[A-Za-z_][\w$]*(?:(?:\.|::?|->|[-/#])[\w$]+)*/;
const SCOPED_PACKAGE = /^@[\w.-]+\/[\w.-]+(?:\/[\w.-]+)*/;
const OPERATOR = /^(?:[\w:]+::)?operator\s?(?:\(\)|\[\]|[^\w\s,;()[\]]{1,3})/;
const INCLUDE = /^#\s*include\s*[<"]([\w./+-]+)/;
const VARIABLE =
  /^(?:process\.env\.|import\.meta\.env\.|\$env:)(\w{2,})|^\$\{?([A-Z][A-Z0-9_]+)\}?$|^%([A-Z][A-Z0-9_]+)%$|^([A-Z][A-Z0-9_]{2,})=/i;
const ENDPOINT = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/[^\s]*$/;
const QUOTED_KEY = /^["']([A-Za-z_$][\w$./-]*)["'](\s*:)?/;
const TAG = /^<\/?([A-Za-z][\w.:-]*)(\s[^<>]*|\s*\/)?>/;
// Dotted names that are not settings: environment access in code, and reversed domains.
const NO_KEY = /^(?:process\.env$|import\.|(?:com|org|net|io|dev)\.)/;
const DOTTED_LOWER = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+$/;

/**
 * Finds the names in an inline code span. A span that begins with an identifier gives that identifier, whatever
 * follows; a command line gives its program and options; sentences, literals and keywords give nothing.
 */
export function findSpanNames(span: string, evidence: NameEvidence): FoundName[] {
  if (span.length < 2 || /^[a-z][a-z0-9+.-]{1,20}:\/\//.test(span) || isDomain(span)) return [];
  const errors = findErrorNames(span);
  if (errors.length > 0) return errors;
  if (isCommandLine(span, evidence.programs)) return findShellNames(span);
  const variable = readVariable(span, evidence);
  if (variable !== null) return [{ name: variable, type: 'EnvironmentVariable' }];
  if (/^--?[A-Za-z]/.test(span)) return optionsOf(span);
  if (ENDPOINT.test(span)) return [{ name: span, type: 'Symbol' }];
  const name = nameOf(span, evidence);
  return name === null || isNoise(name) ? [] : [{ name, type: typeOf(name, span, evidence) }];
}

function readVariable(span: string, { hasCmdlets }: NameEvidence): string | null {
  const found = VARIABLE.exec(span);
  if (!found) return null;
  const [, named, dollar, percent, assigned] = found;
  const bare = dollar ?? percent ?? assigned;
  if (bare !== undefined && bare !== bare.toUpperCase()) return null;
  // In PowerShell, `$NAME` is a script variable.
  if (hasCmdlets && dollar !== undefined) return null;
  return named ?? bare ?? null;
}

function optionsOf(span: string): FoundName[] {
  return span.split(/[\s,|]+/).flatMap((word): FoundName[] => {
    const name = /^--?[A-Za-z][\w-]*/.exec(word)?.[0];
    return name === undefined ? [] : [{ name, type: typeOfForm(name) ?? 'Option' }];
  });
}

function nameOf(span: string, evidence: NameEvidence): string | null {
  if (!span.includes(' ') && typeOfForm(span) !== null) return span;
  const header = INCLUDE.exec(span)?.[1];
  if (header !== undefined) return header;
  const quoted = QUOTED_KEY.exec(span);
  if (quoted?.[1] !== undefined) return quoted[2] || isUnmistakable(quoted[1]) ? quoted[1] : null;
  const tag = TAG.exec(span);
  if (tag) return tagName(tag, evidence);
  const operator = OPERATOR.exec(span)?.[0];
  if (operator !== undefined) return operator;
  return SCOPED_PACKAGE.exec(span)?.[0] ?? identifierOf(span);
}

/** `<name>` alone is a placeholder, unless it is a closing tag, has attributes, or is a header. */
function tagName([whole, name = '', rest]: RegExpExecArray, { headers }: NameEvidence): string | null {
  return whole.startsWith('</') || rest !== undefined || headers.has(name) ? name : null;
}

function identifierOf(span: string): string | null {
  const words = span.split(' ');
  let at = 0;
  while (at < words.length - 1 && INTRODUCERS.has(words[at] ?? '')) at++;
  const bare = words.slice(at).join(' ');
  const name = HEAD.exec(bare.replace(/^\.(?=[a-z])|^[*&~](?=\w)/, ''))?.[0] ?? null;
  if (name === null || at > 0) return name;
  // Several words are a sentence or a declaration, unless the first one can only be an identifier.
  return /^\s+[A-Za-z"']/.test(bare.slice(name.length)) && !isUnmistakable(name) ? null : name;
}

function typeOf(name: string, span: string, evidence: NameEvidence): FoundName['type'] {
  const isCall = span.charAt(name.length) === '(';
  const form = isCall && !isCmdlet(name) ? null : typeOfForm(name);
  if (form !== null) return form;
  if (isCapitals(name)) return typeOfCapitals(name, evidence);
  if (isCall) return 'Symbol';
  if (evidence.programs.has(name)) return 'Command';
  return isKey(name, evidence) ? 'ConfigurationKey' : 'Symbol';
}

function isKey(name: string, { keys, called, hasSettings }: NameEvidence): boolean {
  if (keys.has(name)) return true;
  return hasSettings && DOTTED_LOWER.test(name) && !called.has(name) && !NO_KEY.test(name);
}
