import PostalMime, { type Address, type Email } from 'postal-mime';
import { withWindowsCharacters } from '../reading/decode-source.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import type { ConvertedText } from './converted-text.js';
import { escapeHtml, htmlPage, paragraphHtml, tag } from './html-text.js';

/** Levels of parts, and bytes of the headers of a part. */
const LIMITS = { maxNestingDepth: 30, maxHeadersSize: 256 * 1024 };
/** Where a message of an mbox file begins. */
const FROM_LINE = /^From .*\n/gm;

/** Converts an e-mail: its subject, who wrote it to whom and when, its text, and the names of its attachments. @throws MalformedDocumentError */
export async function convertMail(bytes: Uint8Array): Promise<ConvertedText> {
  const mail = await parsed(bytes);
  return mailPage(mail.subject ?? '', messageHtml(mail, 'h1'));
}

/** Converts the messages of an mbox file, a section each. @throws MalformedDocumentError */
export async function convertMbox(bytes: Uint8Array): Promise<ConvertedText> {
  const written = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
  const messages = written.split(FROM_LINE).filter((message) => message.trim() !== '');
  const parts = [];
  for (const message of messages) {
    const mail = await parsed(Buffer.from(message.replace(/^>(?=>*From )/gm, ''), 'latin1'));
    parts.push(messageHtml(mail, 'h2'));
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
    return await PostalMime.parse(bytes, LIMITS);
  } catch (cause) {
    throw new MalformedDocumentError(0, 'it is no e-mail, or nested too deeply', { cause });
  }
}

function messageHtml(mail: Email, heading: 'h1' | 'h2'): string {
  const { subject, from, to = [], date, html, text = '', attachments } = mail;
  const facts = [['From', from ? [from] : []] as const, ['To', to] as const].flatMap(([name, people]) =>
    people.length > 0 ? [`${name}: ${people.map(personText).join(', ')}`] : [],
  );
  const names = attachments.flatMap(({ filename }) => filename ?? []);
  const body =
    html === undefined
      ? text
          .split(/\n\s*\n/)
          .map(paragraphHtml)
          .join('')
      : `<div>${html}</div>\n`;
  return [
    tag(heading, escapeHtml(subject ?? 'Message')),
    paragraphHtml([...facts, ...(date === undefined ? [] : [`Date: ${date}`])].join('\n')),
    body,
    names.length > 0 ? paragraphHtml(`Attachments: ${names.join(', ')}`) : '',
  ].join('');
}

const personText = ({ name, address, group }: Address): string =>
  group
    ? `${name}: ${group.map(personText).join(', ')}`
    : [name, address && `<${address}>`].filter(Boolean).join(' ');
