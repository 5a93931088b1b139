import { decodeEntities } from '../reading/decode-entities.js';
import { decodeLoosely } from '../reading/decode-source.js';
import { codeBlock } from '../reading/markdown-spans.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import type { ConvertedText } from './converted-text.js';
import { isJsonObject, type JsonObject, objects } from './json-object.js';

/** Characters of one output; the rest is left out. */
const MAX_OUTPUT_CHARS = 10_000;
/** Characters of all outputs; further outputs are left out. */
const MAX_OUTPUTS_CHARS = 2_000_000;
/** Colours of a terminal. */
const COLOURS = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;?]*[A-Za-z]`, 'g');

/** Texts are written as one string, or as a list of lines. */
function joinedText(value: unknown): string {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return parts.filter((part) => typeof part === 'string').join('');
}

/** Converts a Jupyter notebook: its Markdown, its code, and what the code printed as text. @throws MalformedDocumentError */
export function convertNotebook(bytes: Uint8Array): ConvertedText {
  const notebook = parse(decodeLoosely(bytes));
  // Version 3 has sheets of cells.
  const cells = objects(notebook['cells'] ?? objects(notebook['worksheets'])[0]?.['cells']);
  const language = languageIn(notebook);
  let [cut, dropped, room] = [0, 0, MAX_OUTPUTS_CHARS];
  const clip = (text: string): string => {
    const isLong = text.length > MAX_OUTPUT_CHARS;
    const clipped = text.slice(0, MAX_OUTPUT_CHARS).replace(COLOURS, '');
    if (clipped.length > room) dropped++;
    else if (isLong) cut++;
    if (clipped.length > room) return '';
    room -= clipped.length;
    return clipped;
  };
  const parts = cells.flatMap((cell, i) =>
    i === 0 && isHeader(cell) ? [joinedText(cell['source'])] : cellText(cell, language, clip),
  );
  const leftOut = [
    ...(cut > 0 ? [`the ends of ${cut} outputs of over ${MAX_OUTPUT_CHARS} characters are left out`] : []),
    ...(dropped > 0 ? [`${dropped} outputs beyond ${MAX_OUTPUTS_CHARS} characters are left out`] : []),
  ];
  return { format: 'md', text: parts.filter((part) => part.trim() !== '').join('\n\n'), leftOut };
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new MalformedDocumentError(0, 'it is no notebook: its JSON is damaged', { cause });
  }
  throw new MalformedDocumentError(0, 'it is no notebook');
}

function languageIn({ metadata }: JsonObject): string {
  const { language_info: info, kernelspec } = isJsonObject(metadata) ? metadata : {};
  const names = [isJsonObject(info) && info['name'], isJsonObject(kernelspec) && kernelspec['language']];
  const isName = (name: unknown): name is string => typeof name === 'string' && /^[\w+#-]{1,30}$/.test(name);
  return names.find(isName) ?? '';
}

/** True for front matter as Quarto has it: in a cell that is neither Markdown nor code. */
const isHeader = (cell: JsonObject): boolean =>
  cell['cell_type'] === 'raw' && /^---\n[^]*\n---\s*$/.test(joinedText(cell['source']));

/** Markdown with the end of a fence, a comment or an element that it leaves open: Jupyter shows each cell alone. */
function closed(markdown: string): string {
  let end = '';
  for (const line of markdown.split('\n')) {
    const text = line.trim();
    if (end === '') end = openEnd(line);
    else if (/^[`~]/.test(end) ? text.startsWith(end) && /^(?:`+|~+)$/.test(text) : text.includes(end))
      end = '';
  }
  return end === '' ? markdown : `${markdown}\n${end}`;
}

/** The end of the block that a line opens; '' for another line. */
function openEnd(line: string): string {
  const [, fence, comment, element = ''] =
    /^ {0,3}(?:(`{3,}(?=[^`]*$)|~{3,})|(<!--)(?!.*-->)|<(pre|script|style|textarea)(?=[\s>])(?!.*<\/))/.exec(
      line,
    ) ?? [];
  return fence ?? (comment ? '-->' : element && `</${element}>`);
}

type Clip = (text: string) => string;

function cellText(cell: JsonObject, language: string, clip: Clip): string[] {
  const source = joinedText(cell['source'] ?? cell['input']);
  if (cell['cell_type'] === 'markdown') return [closed(source)];
  // Version 3 has cells of headings.
  if (cell['cell_type'] === 'heading') return [`${'#'.repeat(headingLevel(cell['level']))} ${source}`];
  if (cell['cell_type'] !== 'code') return [codeBlock(source, 'text')];
  return [codeBlock(source, language), ...objects(cell['outputs']).map((output) => outputText(output, clip))];
}

const headingLevel = (written: unknown): number => Math.min(6, Math.max(1, Math.trunc(Number(written)) || 1));

function outputText(output: JsonObject, clip: Clip): string {
  const { output_type: type, data } = output;
  if (type === 'error' || type === 'pyerr')
    return codeBlock(
      clip([output['ename'], output['evalue']].map(joinedText).filter(Boolean).join(': ')),
      'text',
    );
  if (!isJsonObject(data)) return codeBlock(clip(joinedText(output['text'])), 'text');
  const [markdown, latex, html, plain] = ['markdown', 'latex', 'html', 'plain'].map((kind) =>
    joinedText(data[`text/${kind}`]),
  );
  if (markdown) return closed(clip(markdown));
  if (plain && !PLACEHOLDER.test(plain)) return codeBlock(clip(plain), 'text');
  return latex ? clip(latex) : codeBlock(clip(htmlText(html ?? '')), 'text');
}

/** Stands for what only a browser shows. */
const PLACEHOLDER = /^<IPython\.core\.display\.\w+ object>\s*$/;

/** The text of HTML, with a line for each block or row. */
const htmlText = (html: string): string =>
  html
    .split(/<\/(?:script|style)>/i)
    .map((part) => part.replace(/<(?:script|style)(?=[\s>])[^]*/i, ''))
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/<(?:\/(?:p|div|li|tr|h[1-6]|pre|caption)|br ?\/?)>/gi, '\n')
    .replace(/<[^<>]*>/g, ' ')
    .split('\n')
    .map((line) => decodeEntities(line).replace(/ +/g, ' ').trim())
    .filter(Boolean)
    .join('\n');
