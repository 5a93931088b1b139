import type { PDFDocumentProxy } from 'unpdf/pdfjs';
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

/** Images are not read: none is as small as this (pixels). */
const MAX_IMAGE_PIXELS = 1;

/** Opens a document. Scripts, forms of XFA, images and fonts of the system are left alone. @throws MalformedDocumentError */
export async function openPdf(library: Library, bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument, PasswordException } = library;
  try {
    return await getDocument({
      data: new Uint8Array(bytes),
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
      cause instanceof PasswordException
        ? 'it has a password; save a copy without one, for example with qpdf --decrypt'
        : 'it is damaged: it is no readable PDF';
    throw new MalformedDocumentError(0, reason, { cause });
  }
}
