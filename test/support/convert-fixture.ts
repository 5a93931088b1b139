import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { converterFor } from '../../src/ingest/conversion/converters.js';
import { formatToConvert } from '../../src/ingest/conversion/formats.js';
import { withPages } from '../../src/ingest/reading/page-marks.js';
import { readerFor } from '../../src/ingest/reading/readers.js';

const FIXTURES = join(__dirname, '../../fixtures/formats');

/** Converts and reads a file. @param bytes  default: those of the fixture @returns its blocks as Markdown */
export async function convertFixture(name: string, bytes: Uint8Array = readFileSync(join(FIXTURES, name))) {
  const convertBytes = await converterFor(formatToConvert(name, bytes) ?? '');
  if (!convertBytes) throw new Error(`no converter of ${name}`);
  const { format, text, leftOut, problems = [] } = await convertBytes(bytes, name);
  const read = await readerFor(name, format);
  const { title = null, blocks: marked = [] } = (await read?.(text)) ?? {};
  const blocks = withPages(marked);
  const lines = blocks.map((block) =>
    block.kind === 'heading' ? `${'#'.repeat(block.level)} ${block.title}` : block.text,
  );
  const pages = blocks.map((block) => (block.kind === 'heading' ? block.anchor : block.page));
  return { title, lines, pages, leftOut, problems };
}

/** An archive of texts by path. */
export const zip = (files: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
