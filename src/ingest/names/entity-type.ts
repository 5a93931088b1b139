import type { EntityType } from '../../core/graph-model.js';
import { CMDLET_VERBS, DOT_FILE, ERRNO_NAMES, EXTENSIONS, KEYWORDS, STANDARDS } from './known-names.js';

/** A name with the entity type that its form or its place implies. */
export interface FoundName {
  /** As written, without Markdown marks. */
  readonly name: string;
  readonly type: EntityType;
}

/**
 * The types by precedence, first to last, for a name that one document uses in several ways. Types with an unambiguous
 * form come first: `-x` is always an option, while a dotted name may be a key or a function.
 */
export const TYPE_PRECEDENCE: readonly EntityType[] = [
  'Error',
  'Option',
  'EnvironmentVariable',
  'File',
  'Command',
  'ConfigurationKey',
  'Symbol',
  'Concept',
];

const OPTION = /^--?[A-Za-z?][\w-]*$/;
// An option has a capital or a value (`/Wall`, `/std:c++17`); a route such as /users has neither.
const SLASH_OPTION =
  /^\/(?![A-Z][a-z]{4,}$)(?:[A-Z][A-Za-z0-9]{0,20}-?|[A-Za-z]\w{0,30}:[A-Za-z_][\w.,+-]*)$/;
const COMPARISON =
  /^-[ci]?(?:not)?(?:eq|ne|gt|ge|lt|le|like|match|contains|replace|split|and|or|xor|join|bor|band|bnot|is|isnot|as)$/i;
const CODE = /^([A-Z]{1,5})\d{4,5}$|^[A-Z]{3}-\d{5}$/;
const CODED_NAME = /^(?:ERR|ERROR|E|STATUS|HRESULT)_[A-Z][A-Z0-9_]+$/;
const PROTOCOL_CODE = /^(?:-32[0-7]\d\d|0x[8C][0-9A-Fa-f]{7})$/;
const ERROR_ENDING = /(?:Error|Exception)$/;
// A name that begins with a verb (`ThrowError`) is a function, not an error.
const ERROR_CLASS =
  /^(?:[\w$]+(?:\.|::))*(?!(?:Get|Set|Add|Write|Throw|Show|Display|Redirect|On|Is|Has|Handle|Raise|Clear|Last|Log|Print|Report|With|No|Check|Create)[A-Z])[A-Z]\w*[a-z0-9](?:Error|Exception)$/;
const CMDLET = /^([A-Z][A-Za-z]+)-[A-Z][A-Za-z0-9]{2,}$/;
const CAPITALS = /^_{0,2}[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+_{0,2}$/;
const PRODUCT_FILE = /^[A-Z][A-Za-z]*\.js$/;
const PATH = /^(?:\.{1,2}\/|~\/|\/[\w.-]+\/|[A-Za-z]:\\|\\\\)[^\s:{}()]*$/;

/** Derives a type from the form of a name without marks or arguments; null when the form fits several types. */
export function typeOfForm(name: string): EntityType | null {
  if (name.length > 120) return null;
  const first = name.charAt(0);
  if (first === '-' || (first >= '0' && first <= '9')) return typeOfSigned(name);
  if (isErrorName(name)) return 'Error';
  if (isFile(name)) return 'File';
  if (first === '/' && SLASH_OPTION.test(name)) return 'Option';
  return isCmdlet(name) ? 'Command' : null;
}

function typeOfSigned(name: string): EntityType | null {
  if (PROTOCOL_CODE.test(name)) return 'Error';
  if (!OPTION.test(name)) return isFile(name) && /[A-Za-z]{2}/.test(name) ? 'File' : null;
  return COMPARISON.test(name) ? 'Symbol' : 'Option';
}

/** True for error codes, and for classes that end in `Error` or `Exception`. */
function isErrorName(name: string): boolean {
  const code = CODE.exec(name);
  if (code) return !STANDARDS.has(code[1] ?? '') && !name.endsWith('0000');
  return (
    ERRNO_NAMES.has(name) || CODED_NAME.test(name) || (ERROR_ENDING.test(name) && ERROR_CLASS.test(name))
  );
}

/** True for a path, and for a name with a known extension. */
export function isFile(name: string): boolean {
  if (PATH.test(name) || DOT_FILE.test(name)) return true;
  const dot = name.lastIndexOf('.');
  if (dot < 0 || !EXTENSIONS.has(name.slice(dot + 1).toLowerCase())) return false;
  return /^[\w@~$%.*/\\{}<>-]*$/.test(name) && !PRODUCT_FILE.test(name) && !name.endsWith('..');
}

/** True for an approved PowerShell verb, a hyphen and a noun. */
export function isCmdlet(name: string): boolean {
  const verb = CMDLET.exec(name)?.[1];
  return verb !== undefined && CMDLET_VERBS.has(verb);
}

/** True for upper-case words joined by underscores: environment variables, constants, macros. */
export function isCapitals(name: string): boolean {
  return CAPITALS.test(name);
}

/** True for a host name, with or without a path. These are addresses, not entities. */
export function isDomain(name: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|ai|edu|gov)(?:[:/].*)?$/.test(name);
}

/** True for keywords, numbers, versions, single letters and words of two letters. */
export function isNoise(name: string): boolean {
  const bare = name.replace(/^[@$#]/, '');
  if (bare.length < 2 || !/[A-Za-z]/.test(bare)) return true;
  if (bare.length === 2 && /^[A-Za-z]+$/.test(bare)) return true;
  return (name === bare && KEYWORDS.has(bare)) || /^v?\d+(?:\.\w+)*$/.test(bare);
}

/** True when the form can't be an English word: inner capitals, underscores, `::`, dots or a leading `@`. */
export function isUnmistakable(name: string): boolean {
  return /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|::|[A-Za-z]\.[A-Za-z]|^[@_$#]\w|\/\w/.test(name);
}
