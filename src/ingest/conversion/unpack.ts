import { posix } from 'node:path';
import { unzipSync } from 'fflate';
import { decodeXml } from '../reading/decode-source.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import { allText, elementsNamed, readXml, type XmlElement } from './xml-tree.js';

/** Most bytes of the files that are unpacked of one document. */
const MAX_UNPACKED_BYTES = 200_000_000;
/** Most files in one document. */
const MAX_ENTRIES = 20_000;

/** The files of an archive, by path. */
export type Unpacked = ReadonlyMap<string, Uint8Array>;

/** Unpacks files of a document that is a ZIP archive. Sizes are those that it states: a longer file is cut there. @throws MalformedDocumentError */
export function unpack(bytes: Uint8Array, isWanted: (path: string) => boolean): Unpacked {
  let [total, entries] = [0, 0];
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    if (++entries > MAX_ENTRIES) throw new MalformedDocumentError(0, `it has more than ${MAX_ENTRIES} files`);
    if (name.endsWith('/') || !isWanted(name)) return false;
    total += originalSize;
    if (total > MAX_UNPACKED_BYTES)
      throw new MalformedDocumentError(0, `it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
    return true;
  };
  try {
    return new Map(Object.entries(unzipSync(bytes, { filter })));
  } catch (cause) {
    if (cause instanceof MalformedDocumentError) throw cause;
    throw new MalformedDocumentError(0, notAnArchive(bytes), { cause });
  }
}

/** Signature of the compound files of Office before 2007, in which Office also encrypts documents. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];

function notAnArchive(bytes: Uint8Array): string {
  const isCompound = COMPOUND.every((byte, i) => bytes[i] === byte);
  return isCompound
    ? 'it has a password or the format of Office before 2007; save it without a password in the present format'
    : 'it is damaged: not a ZIP archive';
}

/** Reads a file of an archive as text. @throws MalformedDocumentError if it is missing */
export function textAt(files: Unpacked, path: string): string {
  const bytes = files.get(path);
  if (!bytes) throw new MalformedDocumentError(0, `it is damaged: ${path} is missing`);
  return decodeXml(bytes);
}

/** A part of an Office document that another part names. */
interface Relation {
  /** The last part of its type, such as `notesSlide`. */
  readonly type: string;
  /** Path in the archive. */
  readonly path: string;
}

/** The parts that a part names, by the ids that it uses for them. Addresses outside the document are left out. */
export function readRelationships(files: Unpacked, part: string): ReadonlyMap<string, Relation> {
  const folder = posix.dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!files.has(path)) return new Map();
  return new Map(
    elementsNamed(readXml(textAt(files, path)), 'Relationship').flatMap(({ attributes }) => {
      const { Id, Type = '', Target = '', TargetMode } = attributes;
      if (Id === undefined || TargetMode === 'External') return [];
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      return files.has(target) ? [[Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path: target }]] : [];
    }),
  );
}

/** A part as XML. @throws MalformedDocumentError */
export const packagePart = (files: Unpacked, path: string): XmlElement => readXml(textAt(files, path));

/** The title in the properties of a document; '' without one. @param path  of the properties; default: those of Office */
export function documentTitle(files: Unpacked, path = 'docProps/core.xml'): string {
  const [title] = files.has(path) ? elementsNamed(packagePart(files, path), 'title') : [];
  return title ? allText(title).trim() : '';
}
