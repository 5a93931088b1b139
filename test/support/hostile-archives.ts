import { deflateRawSync, gzipSync } from 'node:zlib';
import { Zip, type ZipInputFile, zipSync } from 'fflate';

/** An entry of a tar archive, as hostile as a test wants it. */
export interface TarItem {
  readonly name: string;
  readonly type?: string;
  readonly link?: string;
  readonly content?: Uint8Array;
  /** What the header states; default: the length of the content. */
  readonly size?: number;
}

const BLOCK = 512;

function header({ name, type = '0', link = '', content = Buffer.alloc(0), size }: TarItem): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name.slice(0, 100), 0);
  block.write('0000644\0', 100);
  block.write('0000000\0'.repeat(2), 108);
  block.write(`${(size ?? content.length).toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(link, 157);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const padding = (length: number): Buffer => Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);

export function tarArchive(items: readonly TarItem[]): Buffer {
  const parts = items.flatMap((item) => {
    const content = item.content ?? Buffer.alloc(0);
    return [header(item), content, padding(content.length)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

export const tarGz = (items: readonly TarItem[]): Buffer => gzipSync(tarArchive(items));

/** A record of pax that gives the next entry its path. */
export function paxPath(path: string): TarItem {
  const body = ` path=${path}\n`;
  const length = body.length + 2;
  return { name: 'pax', type: 'x', content: Buffer.from(`${length}${body}`) };
}

export const zipArchive = (files: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          name,
          typeof content === 'string' ? new TextEncoder().encode(content) : content,
        ]),
      ),
    ),
  );

/** A ZIP archive whose only entry is a symbolic link of Unix. */
export function zipWithLink(name: string, target: string): Buffer {
  const LINK = 0o120777;
  return Buffer.from(
    zipSync({ [name]: [new TextEncoder().encode(target), { os: 3, attrs: LINK * 0x10000 }] }),
  );
}

/** Marks entries of a ZIP archive as encrypted: the first flag of their entries in the directory. */
export function zipWithPassword(archive: Buffer, names: readonly string[]): Buffer {
  const signature = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  for (let at = archive.indexOf(signature); at >= 0; at = archive.indexOf(signature, at + 4)) {
    const name = archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28));
    if (names.includes(name)) archive.writeUInt16LE(archive.readUInt16LE(at + 8) | 1, at + 8);
  }
  return archive;
}

/** An archive of ZIP with one file of zeros, made by zlib, which is faster than fflate. */
export function bigArchive(filename: string, size: number): Uint8Array {
  const parts: Uint8Array[] = [];
  const archive = new Zip((_error, part) => void parts.push(part));
  const file: ZipInputFile = { filename, size, crc: 0, compression: 8 };
  archive.add(file);
  file.ondata?.(null, deflateRawSync(new Uint8Array(size), { level: 1 }), true);
  archive.end();
  return new Uint8Array(Buffer.concat(parts));
}
