import type { FoundName } from './entity-type.js';

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
  const found: FoundName[] = [];
  for (const [name] of text.matchAll(STATUS)) found.push({ name, type: 'Error' });
  for (const [name] of text.matchAll(NUMBER)) found.push({ name, type: 'Error' });
  return found;
}
