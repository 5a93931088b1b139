import { ByteQueue } from '../byte-queue.js';

export const TAR_BLOCK = 512;
/** Longer records with names are not names. */
const MAX_NAME_BYTES = 65_536;

/** An entry of a tar archive. Folders are left out. */
export interface TarEntry {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'other';
  readonly size: number;
  /** Null for a file that is larger than the limit, and for what is not a file. */
  readonly bytes: Buffer | null;
}

interface Header {
  readonly path: string;
  readonly type: string;
  readonly size: number;
}

/** Reads a tar archive (ustar, with the long names of pax and GNU) piece by piece. */
export class TarReader {
  private readonly buffered = new ByteQueue();
  private current: Header | null = null;
  /** Bytes of the current entry that are skipped, with its padding. */
  private toSkip = 0;
  private longName: string | null = null;

  /** @param maxBytes  of a file that is read; larger ones are skipped */
  constructor(private readonly maxBytes: number) {}

  *push(data: Buffer): Generator<TarEntry> {
    this.buffered.push(data);
    for (let entry = this.next(); entry !== null; entry = this.next()) if (entry !== 'more') yield entry;
  }

  /** @throws Error for an archive that ends within an entry */
  end(): void {
    if (this.current !== null || this.toSkip > 0) throw new Error('the archive is cut off');
  }

  /** @returns null if more data is needed; `more` after a part that is no entry */
  private next(): TarEntry | 'more' | null {
    if (this.toSkip > 0) {
      const skipped = Math.min(this.toSkip, this.buffered.length);
      this.buffered.take(skipped);
      this.toSkip -= skipped;
      return this.toSkip > 0 ? null : 'more';
    }
    return this.current === null ? this.readHeader() : this.readContent(this.current);
  }

  private readHeader(): TarEntry | 'more' | null {
    if (this.buffered.length < TAR_BLOCK) return null;
    const block = this.buffered.take(TAR_BLOCK);
    if (block.every((byte) => byte === 0)) return 'more';
    const header = parseHeader(block);
    const isName = 'xgLK'.includes(header.type);
    const isFile = isRegular(header.type);
    if (isName && header.size > MAX_NAME_BYTES) throw new Error('a name is too long');
    if (isName || (isFile && header.size <= this.maxBytes)) {
      this.current = header;
      return 'more';
    }
    this.toSkip = padded(header.size);
    return this.entry(header, null);
  }

  private readContent(header: Header): TarEntry | 'more' | null {
    const length = padded(header.size);
    if (this.buffered.length < length) return null;
    const bytes = this.buffered.take(length).subarray(0, header.size);
    this.current = null;
    if (isRegular(header.type)) return this.entry(header, bytes);
    if (header.type === 'L') this.longName = untilNul(bytes);
    if (header.type === 'x') this.longName = paxPath(bytes) ?? this.longName;
    return 'more';
  }

  private entry({ path: short, type, size }: Header, bytes: Buffer | null): TarEntry | 'more' {
    const path = this.longName ?? short;
    this.longName = null;
    if (type === '5' || path.endsWith('/')) return 'more';
    const kind = isRegular(type) ? 'file' : type === '1' || type === '2' ? 'link' : 'other';
    return { path: path.replace(/^(?:\.\/)+/, ''), kind, size, bytes };
  }
}

const isRegular = (type: string): boolean => type === '0' || type === '\0' || type === '7';

export const padded = (size: number): number => Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;

function untilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString();
}

export function parseHeader(block: Buffer): Header {
  if (checksum(block) !== octal(block, 148, 8)) throw new Error('a header is damaged');
  const isUstar = block.subarray(257, 262).toString() === 'ustar';
  const prefix = isUstar && block[262] === 0 ? untilNul(block.subarray(345, 500)) : '';
  const name = untilNul(block.subarray(0, 100));
  const type = String.fromCharCode(block[156] ?? 0);
  return { path: prefix === '' ? name : `${prefix}/${name}`, type, size: octal(block, 124, 12) };
}

/** The sum of the bytes of a header, with spaces in place of the sum itself. */
export function checksum(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

/** A number in octal digits, or in the binary form of GNU for large ones. */
function octal(block: Buffer, start: number, length: number): number {
  const field = block.subarray(start, start + length);
  const isBinary = ((field[0] ?? 0) & 0x80) !== 0;
  const value = isBinary
    ? Number(field.readBigUInt64BE(length - 8))
    : Number.parseInt(untilNul(field).trim() || '0', 8);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('a number is damaged');
  return value;
}

/** The path in the records of pax: `LENGTH KEY=VALUE\n`. */
function paxPath(bytes: Buffer): string | null {
  let path: string | null = null;
  for (let at = 0; at < bytes.length;) {
    const length = Number.parseInt(bytes.subarray(at, at + 20).toString(), 10);
    if (!(length > 0)) break;
    const record = bytes.subarray(at, at + length).toString();
    const [, value] = /^\d+ path=([^]*)\n$/.exec(record) ?? [];
    path = value ?? path;
    at += length;
  }
  return path;
}
