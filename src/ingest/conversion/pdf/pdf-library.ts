import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, constants, inflateSync } from 'node:zlib';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { PACKAGE_ROOT } from '../../../core/package-facts.js';
import { MalformedDocumentError } from '../../reading/parsed-document.js';

export type Library = typeof import('unpdf/pdfjs');

/** PDF.js expects these of the platform; Node 20 does not have them. */
function addMissing(): void {
  const define = (target: object, name: string, value: unknown): void => {
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true });
  };
  define(ArrayBuffer.prototype, 'transferToFixedLength', function (this: ArrayBuffer, length?: number) {
    const moved = new ArrayBuffer(length ?? this.byteLength);
    new Uint8Array(moved).set(new Uint8Array(this, 0, Math.min(moved.byteLength, this.byteLength)));
    return moved;
  });
  define(URL, 'parse', (address: string, base?: string) =>
    URL.canParse(address, base) ? new URL(address, base) : null,
  );
}

export async function loadPdfLibrary(): Promise<Library> {
  addMissing();
  return import('unpdf/pdfjs');
}

/** Packed by scripts/pack-cmaps.mjs. */
const FILE = join(PACKAGE_ROOT, 'config', 'pdf-cmaps.br');

let maps: ReadonlyMap<string, Uint8Array> | undefined;

/** The letters of Chinese, Japanese and Korean fonts that do not say themselves which they have, as PDF.js asks for them. */
class CharacterMaps {
  fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    maps ??= readMaps();
    const found = maps.get(filename);
    return found ? Promise.resolve(found) : Promise.reject(new Error(`there is no map ${filename}`));
  }
}

function readMaps(): ReadonlyMap<string, Uint8Array> {
  const bytes = brotliDecompressSync(readFileSync(FILE));
  let at = bytes.indexOf('\n') + 1;
  const sizes: readonly (readonly [string, number])[] = JSON.parse(bytes.toString('utf8', 0, at));
  // Each is a copy, because PDF.js passes on all the bytes behind one.
  return new Map(sizes.map(([name, size]) => [name, new Uint8Array(bytes.subarray(at, (at += size)))]));
}

/** Images are not read: none is as small as this (pixels). */
const MAX_IMAGE_PIXELS = 1;

/** Opens a document. Scripts, forms of XFA, images and fonts of the system are left alone. @throws MalformedDocumentError */
export async function openPdf(library: Library, bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument } = library;
  refuseBombs(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  try {
    return await getDocument({
      data: new Uint8Array(bytes),
      BinaryDataFactory: CharacterMaps,
      maxImageSize: MAX_IMAGE_PIXELS,
      // Otherwise the outlines of all letters are computed, which takes as long as everything else.
      disableFontFace: false,
      useSystemFonts: false,
      useWorkerFetch: false,
      useWasm: false,
      enableXfa: false,
      verbosity: 0,
    }).promise;
  } catch (cause) {
    const reason =
      cause instanceof Error && cause.name === 'PasswordException'
        ? 'it has a password; save a copy without one, for example with qpdf --decrypt'
        : 'it is damaged: it is no readable PDF';
    throw new MalformedDocumentError(0, reason, { cause });
  }
}

/** Most bytes of one packed part, and of all. Text of a thousand pages has 10 MB. */
const MAX_PART_BYTES = 50_000_000;
const MAX_UNPACKED_PDF_BYTES = 500_000_000;
/** How often a part can be packed. */
const MAX_PACKED = 4;
/** Bytes before a part that say what it is. */
const HEADER_BYTES = 1_000;

/** PDF.js unpacks without a limit, and more slowly than this. Pictures are not unpacked. @throws MalformedDocumentError */
function refuseBombs(file: Buffer): void {
  let total = 0;
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    const start = file[at + 6] === 0x0d ? at + 8 : at + 7;
    if (!isPacked(file, start) || isPicture(file, at)) continue;
    const end = file.indexOf('endstream', start);
    total += unpackedBytes(file.subarray(start, end < 0 ? undefined : end));
    if (total > MAX_UNPACKED_PDF_BYTES) throw tooLarge(MAX_UNPACKED_PDF_BYTES);
    if (end > 0) at = end + 3;
  }
}

const tooLarge = (limit: number): MalformedDocumentError =>
  new MalformedDocumentError(0, `a part of it unpacks to more than ${limit} bytes`);

/** True for the header of zlib. */
const isPacked = (data: Buffer, at = 0): boolean =>
  at + 1 < data.length && ((data[at] ?? 0) & 0x0f) === 8 && data.readUInt16BE(at) % 31 === 0;

function isPicture(file: Buffer, at: number): boolean {
  const header = file.toString('latin1', Math.max(0, at - HEADER_BYTES), at);
  return /\/Subtype\s*\/Image\b/.test(header.slice(header.lastIndexOf(' obj')));
}

function unpackedBytes(packed: Buffer, times = 1): number {
  try {
    const maxOutputLength = MAX_PART_BYTES;
    const data = inflateSync(packed, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
    const further = times < MAX_PACKED && isPacked(data) ? unpackedBytes(data, times + 1) : 0;
    return data.length + further;
  } catch (error) {
    if (error instanceof MalformedDocumentError) throw error;
    if (error instanceof RangeError) throw tooLarge(MAX_PART_BYTES);
    // PDF.js reads what it can of a damaged part.
    return 0;
  }
}
