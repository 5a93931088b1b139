import { isUtf8 } from 'node:buffer';
import { formatToConvert, isDocument, mayBeDocument } from '../../ingest/conversion/formats.js';
import { decodeAs, namedEncoding } from '../../ingest/reading/decode-source.js';
import { extensionOf, isTextDocument } from '../../ingest/reading/readers.js';
import type { WebAnswer } from './web-client.js';

/** The content of a page as a file of the copy. */
export interface PageContent {
  /** Of the file, such as `html`. */
  readonly extension: string;
  readonly bytes: Buffer;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN = 'application/vnd.oasis.opendocument.';
const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'application/pdf': 'pdf',
  'application/epub+zip': 'epub',
  'text/csv': 'csv',
  [`${OFFICE}wordprocessingml.document`]: 'docx',
  [`${OFFICE}presentationml.presentation`]: 'pptx',
  [`${OFFICE}spreadsheetml.sheet`]: 'xlsx',
  [`${OPEN}text`]: 'odt',
  [`${OPEN}presentation`]: 'odp',
  [`${OPEN}spreadsheet`]: 'ods',
};
/** Types that say nothing about the format. The address, or the content, does. */
const GENERAL =
  /^(?:|text\/plain|text\/x-[\w-]+|application\/(?:octet-stream|binary|zip|json|x-ipynb\+json))$/;
/** Formats that are not text begin with a signature. */
const SIGNATURES: Readonly<Record<string, string>> = {
  pdf: '%PDF-',
  ...Object.fromEntries(
    ['docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'epub'].map((name) => [name, 'PK\x03\x04']),
  ),
};
const BINARY = [
  '%PDF-',
  'PK\x03\x04',
  '\x89PNG',
  'GIF8',
  '\xff\xd8\xff',
  '\x7fELF',
  'MZ\x90',
  '\x1f\x8b',
  'RIFF',
];
const HTML = /^\s*(?:<!--[^]{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;

/** Finds the format of an answer. @returns the reason, for content that is not read */
export function pageContent({ url, headers, body }: WebAnswer): PageContent | string {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const name = type.trim().toLowerCase();
  const beginning = body.subarray(0, 4_096).toString('latin1');
  const extension =
    EXTENSIONS[name] ??
    contentExtension(url.pathname, body) ??
    generalExtension(url.pathname, beginning, name);
  if (extension === '' || !mayBeDocument(`page.${extension}`))
    return `its type ${name || 'unknown'} is not read`;
  const signature = SIGNATURES[extension];
  const isGenuine = signature === undefined ? !isBinary(beginning) : beginning.includes(signature);
  if (!isGenuine) return `its content is not of its type ${name || 'text'}`;
  if (signature !== undefined) return { extension, bytes: body };
  const isHtml = isTextDocument(`page.${extension}`) && HTML.test(beginning);
  return { extension: isHtml ? 'html' : extension, bytes: inUtf8(body, beginning, parameters.join(';')) };
}

/** The extension of a format that only the content tells; undefined for another one. */
function contentExtension(path: string, body: Buffer): string | undefined {
  const isContent = !isDocument(path) && formatToConvert(path, body) !== null;
  return isContent ? path.slice(path.lastIndexOf('.') + 1).toLowerCase() : undefined;
}

const DATA = /\.(?:json|ya?ml|xml)$/i;

/** @returns '' for data whose address does not name a format */
function generalExtension(path: string, beginning: string, type: string): string {
  const isGeneral = GENERAL.test(type);
  if (isGeneral ? isDocument(path) : type.startsWith('text/') && isTextDocument(path))
    return extensionOf(path) === 'readme' ? 'txt' : extensionOf(path);
  if (!isGeneral) return '';
  if (beginning.startsWith('%PDF-')) return 'pdf';
  if (HTML.test(beginning)) return 'html';
  return type.startsWith('application/') || DATA.test(path) ? '' : 'txt';
}

const isUtf16 = (beginning: string): boolean =>
  beginning.startsWith('\xff\xfe') || beginning.startsWith('\xfe\xff');

const isBinary = (beginning: string): boolean =>
  BINARY.some((start) => beginning.startsWith(start)) || (beginning.includes('\0') && !isUtf16(beginning));

/** Readers of text accept UTF-8 only. A page in another encoding says so, or is refused by its reader. */
function inUtf8(body: Buffer, beginning: string, parameters: string): Buffer {
  if (isUtf8(body)) return body;
  const label = isUtf16(beginning)
    ? `utf-16${beginning.startsWith('\xff') ? 'le' : 'be'}`
    : (/charset\s*=\s*["']?([\w-]+)/i.exec(parameters)?.[1] ?? namedEncoding(body));
  try {
    return label === undefined ? body : Buffer.from(decodeAs(label, body, true));
  } catch {
    // The label is unknown or wrong; the reader names the first byte that is not UTF-8.
    return body;
  }
}
