import { isUtf8 } from 'node:buffer';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { decodeOlder, decodePage, withWindowsCharacters } from '../reading/decode-source.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import type { ConvertedText } from './converted-text.js';
import { escapeHtml, htmlPage, paragraphHtml, tag } from './html-text.js';

/** Levels of parts, and bytes of the headers of a part. Messages in a message are attachments, which are converted one by one. */
const LIMITS = { maxNestingDepth: 30, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true };
/** Levels of messages in messages. */
const MAX_MESSAGES = 10;
const MESSAGE = /^message\/(?:global|news|rfc822)$/;
const TEXT = /^(?:message\/(?!global$|news$|rfc822$)|text\/(?!css|.*-html))/;
/** Where a message of an mbox file begins: who sent it, and when. A line of a text may begin with the same word. */
const FROM_LINE =
  /^From (?=\S.*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b)(?=.*\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b)(?=.*\d:\d\d)(?=.*\b(?:19|20)\d\d\b).*\n/gm;

/** Converts an e-mail: its subject, who wrote it to whom and when, its text, and the names of its attachments. @throws MalformedDocumentError */
export async function convertMail(bytes: Uint8Array): Promise<ConvertedText> {
  const mail = await parsed(bytes);
  return mailPage(mail.subject ?? '', await messageHtml(mail, 1));
}

/** Converts the messages of an mbox file, a section each. @throws MalformedDocumentError */
export async function convertMbox(bytes: Uint8Array): Promise<ConvertedText> {
  const written = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
  const messages = written.split(FROM_LINE).filter((message) => message.trim() !== '');
  const parts = [];
  for (const message of messages) {
    const mail = await parsed(Buffer.from(message.replace(/^>(?=>*From )/gm, ''), 'latin1'));
    parts.push(await messageHtml(mail, 2));
  }
  return mailPage('', parts.join(''));
}

/** Converts a page that a browser saved with its images in one file. @throws MalformedDocumentError */
export async function convertMhtml(bytes: Uint8Array): Promise<ConvertedText> {
  const { html, text = '', subject = '' } = await parsed(bytes);
  if (html === undefined) return mailPage(subject, paragraphHtml(text));
  return { format: 'html', text: withWindowsCharacters(html), leftOut: [] };
}

const mailPage = (title: string, html: string): ConvertedText =>
  htmlPage(withWindowsCharacters(title), withWindowsCharacters(html));

async function parsed(bytes: Uint8Array): Promise<Email> {
  try {
    return await new MailParser(LIMITS).parse(bytes);
  } catch (cause) {
    throw new MalformedDocumentError(0, 'it is no e-mail, or nested too deeply', { cause });
  }
}

/** A part of a message in the parser. */
interface Part {
  readonly childNodes: readonly Part[];
  readonly content: ArrayBuffer | null;
  readonly contentType: { readonly parsed: { readonly params: { charset?: string } } };
}

const Parser = PostalMime as unknown as new (
  options: typeof LIMITS,
) => PostalMime & { root: Part; processNodeTree(): Promise<void> };

/** Reads a part that says that it is UTF-8 or ASCII, or nothing, as Windows-1252 if it is no UTF-8, and else as UTF-8. */
class MailParser extends Parser {
  override processNodeTree(): Promise<void> {
    const visit = ({ childNodes, content, contentType }: Part): void => {
      const { params } = contentType.parsed;
      if (content && /^(?:utf-?8|us-ascii|ascii|)$/i.test(params.charset ?? ''))
        params.charset = isUtf8(content) ? 'utf-8' : 'windows-1252';
      childNodes.forEach(visit);
    };
    visit(this.root);
    return super.processNodeTree();
  }
}

/** @param level  of its heading */
async function messageHtml(mail: Email, level: number): Promise<string> {
  const { subject, from, to = [], date, html, text = '', attachments } = mail;
  const facts = [['From', from ? [from] : []] as const, ['To', to] as const].flatMap(([name, people]) =>
    people.length > 0 ? [`${name}: ${people.map(personText).join(', ')}`] : [],
  );
  const names = attachments.flatMap(({ filename }) => filename ?? []);
  const parts = [];
  for (const attachment of attachments) parts.push(await attachmentHtml(attachment, level + 1));
  return [
    tag(`h${Math.min(6, level)}`, escapeHtml(subject ?? 'Message')),
    paragraphHtml([...facts, ...(date === undefined ? [] : [`Date: ${date}`])].join('\n')),
    html === undefined ? paragraphs(text) : `<div>${html}</div>\n`,
    names.length > 0 ? paragraphHtml(`Attachments: ${names.join(', ')}`) : '',
    ...parts,
  ].join('');
}

/** An attached message, or a text without a name, such as an invitation or a report of delivery; '' for another attachment. */
async function attachmentHtml({ filename, mimeType, content }: Attachment, level: number): Promise<string> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  if (MESSAGE.test(mimeType) && level <= MAX_MESSAGES) return messageHtml(await parsed(bytes), level);
  if (filename !== null || !TEXT.test(mimeType)) return '';
  return mimeType === 'text/html' ? `<div>${decodePage(bytes)}</div>\n` : paragraphs(decodeOlder(bytes));
}

const paragraphs = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map(paragraphHtml)
    .join('');

const personText = ({ name, address, group }: Address): string =>
  group
    ? `${name}: ${group.map(personText).join(', ')}`
    : [name, address && `<${address}>`].filter(Boolean).join(' ');
