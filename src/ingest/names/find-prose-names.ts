import { type FoundName, isCapitals, isDomain, isFile, isNoise, typeOfForm } from './entity-type.js';
import { type NameEvidence, typeOfCapitals } from './survey-names.js';

// The 4xx and 5xx statuses of RFC 9110 with their phrases; other words after three digits are prose.
const STATUS =
  /\b[45]\d\d (?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Proxy Authentication Required|Request Timeout|Conflict|Gone|Length Required|Precondition Failed|Payload Too Large|Content Too Large|URI Too Long|Unsupported Media Type|Range Not Satisfiable|Expectation Failed|Unprocessable Entity|Unprocessable Content|Too Early|Upgrade Required|Precondition Required|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Timeout)\b/g;
/** The range that JSON-RPC 2.0 reserves, and failed HRESULTs. */
const NUMBER = /(?<![\w.-])(?:-32[0-7]\d\d|0x[8C][0-9A-Fa-f]{7})\b/g;

const ANY_ERROR = /[45]\d\d [A-Z]|-32\d|0x[8C]/;

/** Finds errors that are written as numbers: HTTP statuses with their phrase, JSON-RPC codes, HRESULTs. */
export function findErrorNames(text: string): FoundName[] {
  // Most texts have no errors, and one test is cheaper than two scans.
  if (!ANY_ERROR.test(text)) return [];
  return [...text.matchAll(STATUS), ...text.matchAll(NUMBER)].map(([name]) => ({ name, type: 'Error' }));
}

const TOKEN = /(?:--|[@$/~]|\.{1,2}\/)?\w[\w$]*(?:(?:\.|::|->|[-/\\:])[\w$]+)*(?:\(\))?/g;
const PLAIN = /^[A-Za-z]?[a-z]*(?:-[a-z]+)*$/;
const SNAKE = /^_{0,2}[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;
// Three letters before a capital make an identifier; macOS, iPhone, eBay and McCabe are English.
const CAMEL = /^[a-z][a-z0-9]{2,}[A-Z]\w*$/;
const PASCAL = /^[A-Z][a-z0-9]{2,}(?:[A-Z]+[a-z0-9]*)+$/;
const OPERATOR_SIGN = /^(?:\(\)|\[\]|[^\w\s,;()[\]]{1,3})/;
const QUALIFIED = /^~?\w+(?:::~?\w+)+$/;
const DOTTED =
  /^[a-z][\w$]+(?:\.[a-z][\w$]+)+$|^(?:[A-Z]\w+\.)+[A-Za-z]*[a-z][A-Z]\w*$|^[A-Z]\w+(?:\.[A-Z]\w+){2,}$/;

/**
 * Finds names in prose that can't be English words. Words in Pascal case count as concepts, since product names look
 * the same; a type from inline code takes precedence.
 * @param text  masked prose, or a heading
 */
export function findProseNames(text: string, evidence: NameEvidence): FoundName[] {
  const names = findErrorNames(text);
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.length > 120 || PLAIN.test(token) || isDomain(token)) continue;
    // A token after a bracket or a sign is the rest of a longer word: C++/CX, 3-way.
    if (index > 0 && '/+)]-'.includes(text.charAt(index - 1))) continue;
    const following = token.endsWith('::operator')
      ? text.slice(index + token.length, index + token.length + 4)
      : '';
    const name = readToken(token.replace(/^_([A-Za-z][^_]*)_$/, '$1'), evidence);
    if (name) names.push({ ...name, name: name.name + (OPERATOR_SIGN.exec(following)?.[0] ?? '') });
  }
  return names;
}

function readToken(token: string, evidence: NameEvidence): FoundName | null {
  if (token.endsWith('()')) {
    const name = token.slice(0, -2);
    return isNoise(name) || name.includes('/') ? null : { name, type: typeOfForm(name) ?? 'Symbol' };
  }
  if (token.startsWith('--')) return /^--[a-z][\w-]+$/.test(token) ? { name: token, type: 'Option' } : null;
  const form = typeOfForm(token);
  if (form === 'File') return isProseFile(token) ? { name: token, type: form } : null;
  if (form === 'Command' && !evidence.hasCmdlets) return null;
  if (form !== null) return { name: token, type: form };
  if (isCapitals(token)) return { name: token, type: typeOfCapitals(token, evidence) };
  if (PASCAL.test(token)) return /^[A-Z]+s$/.test(token) ? null : { name: token, type: 'Concept' };
  return isIdentifier(token) ? { name: token, type: 'Symbol' } : null;
}

/** True for a path with an extension; in prose a slash often separates alternatives (and/or). */
function isProseFile(token: string): boolean {
  return isFile(token) && /[\w*]\.\w+$|^\.{1,2}\/\w|^~\//.test(token);
}

function isIdentifier(token: string): boolean {
  if (SNAKE.test(token) || QUALIFIED.test(token) || CAMEL.test(token)) return true;
  return DOTTED.test(token) && !/^(?:www|e\.g|i\.e)\b/.test(token);
}
