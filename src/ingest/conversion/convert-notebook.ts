import { decodeLoosely } from '../reading/decode-source.js';
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
  const parts = cells.flatMap((cell) => cellText(cell, language, clip));
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

type Clip = (text: string) => string;

function cellText(cell: JsonObject, language: string, clip: Clip): string[] {
  const source = joinedText(cell['source'] ?? cell['input']);
  if (cell['cell_type'] === 'markdown') return [source];
  // Version 3 has cells of headings.
  if (cell['cell_type'] === 'heading') return [`${'#'.repeat(headingLevel(cell['level']))} ${source}`];
  if (cell['cell_type'] !== 'code') return [fenced(source, 'text')];
  return [fenced(source, language), ...objects(cell['outputs']).map((output) => outputText(output, clip))];
}

const headingLevel = (written: unknown): number => Math.min(6, Math.max(1, Math.trunc(Number(written)) || 1));

function outputText(output: JsonObject, clip: Clip): string {
  const { output_type: type, data } = output;
  if (type === 'error' || type === 'pyerr')
    return fenced(
      clip([output['ename'], output['evalue']].map(joinedText).filter(Boolean).join(': ')),
      'text',
    );
  if (!isJsonObject(data)) return fenced(clip(joinedText(output['text'])), 'text');
  if ('text/markdown' in data) return clip(joinedText(data['text/markdown']));
  return fenced(clip(joinedText(data['text/plain'])), 'text');
}

/** A block of code whose fence is longer than any in it. */
function fenced(code: string, language: string): string {
  if (code.trim() === '') return '';
  const runs = code.match(/`{3,}/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n+$/, '')}\n${fence}`;
}
