import { crc32 } from 'node:zlib';
import { BackendUnavailableError } from '../../core/errors.js';
import { LATENT_VERSION, type LatentSpace } from './latent-space.js';

// Little endian throughout:
//
//   "PLSA" | version | dimensions | term count | bytes of the terms     five times 4 bytes
//   idf, float32 a term | scales, float32 a term | codes, int8, terms × dimensions | terms, a JSON array
//   CRC-32 of everything above                                          4 bytes
const MAGIC = 0x41534c50;
const HEADER = { version: 4, dimensions: 8, termCount: 12, termBytes: 16, bytes: 20 } as const;
const CHECKSUM_BYTES = 4;
const FLOAT_BYTES = 4;

function unreadable(why: string): BackendUnavailableError {
  return new BackendUnavailableError(`The latent space of the index can't be read: ${why}.`, {
    reason: 'latent_space_unreadable',
    hint: 'Run pith index again with --rebuild.',
  });
}

function writeFloats(view: DataView, start: number, values: Float32Array): void {
  values.forEach((value, i) => view.setFloat32(start + i * FLOAT_BYTES, value, true));
}

function readFloats(view: DataView, start: number, length: number): Float32Array {
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) values[i] = view.getFloat32(start + i * FLOAT_BYTES, true);
  return values;
}

/** Serialises a space; the same space gives the same bytes. */
export function packSpace({ rowOf, idf, dimensions, basis }: LatentSpace): Uint8Array {
  const terms = new TextEncoder().encode(JSON.stringify([...rowOf.keys()]));
  const scalesAt = HEADER.bytes + idf.length * FLOAT_BYTES;
  const codesAt = scalesAt + idf.length * FLOAT_BYTES;
  const packed = new Uint8Array(codesAt + basis.codes.length + terms.length + CHECKSUM_BYTES);
  const view = new DataView(packed.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(HEADER.version, LATENT_VERSION, true);
  view.setUint32(HEADER.dimensions, dimensions, true);
  view.setUint32(HEADER.termCount, idf.length, true);
  view.setUint32(HEADER.termBytes, terms.length, true);
  writeFloats(view, HEADER.bytes, idf);
  writeFloats(view, scalesAt, basis.scales);
  packed.set(basis.codes, codesAt);
  packed.set(terms, codesAt + basis.codes.length);
  view.setUint32(packed.length - CHECKSUM_BYTES, crc32(packed.subarray(0, -CHECKSUM_BYTES)), true);
  return packed;
}

/** Reads the sizes in the header after checking format, version, length and checksum. */
function checkedSizes(bytes: Uint8Array, view: DataView) {
  if (bytes.length < HEADER.bytes || view.getUint32(0, true) !== MAGIC)
    throw unreadable('it has an unknown format');
  const version = view.getUint32(HEADER.version, true);
  if (version !== LATENT_VERSION)
    throw unreadable(`it has version ${version}; this Pith reads version ${LATENT_VERSION}`);
  const dimensions = view.getUint32(HEADER.dimensions, true);
  const termCount = view.getUint32(HEADER.termCount, true);
  const body = termCount * (2 * FLOAT_BYTES + dimensions) + view.getUint32(HEADER.termBytes, true);
  const length = HEADER.bytes + body + CHECKSUM_BYTES;
  if (bytes.length !== length) throw unreadable(`it has ${bytes.length} bytes instead of ${length}`);
  const stated = view.getUint32(length - CHECKSUM_BYTES, true);
  if (stated !== crc32(bytes.subarray(0, -CHECKSUM_BYTES))) throw unreadable('its checksum does not match');
  return { dimensions, termCount };
}

function parseTerms(bytes: Uint8Array): string[] {
  const terms: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return Array.isArray(terms) ? terms.map(String) : [];
}

/** Reverses `packSpace`. @throws BackendUnavailableError for other formats and versions, and for damaged bytes */
export function parseSpace(bytes: Uint8Array): LatentSpace {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { dimensions, termCount } = checkedSizes(bytes, view);
  const scalesAt = HEADER.bytes + termCount * FLOAT_BYTES;
  const codesAt = scalesAt + termCount * FLOAT_BYTES;
  const termsAt = codesAt + termCount * dimensions;
  const terms = parseTerms(bytes.subarray(termsAt, -CHECKSUM_BYTES));
  return {
    rowOf: new Map(terms.map((term, row) => [term, row])),
    idf: readFloats(view, HEADER.bytes, termCount),
    dimensions,
    basis: {
      codes: new Int8Array(bytes.subarray(codesAt, termsAt)),
      scales: readFloats(view, scalesAt, termCount),
    },
  };
}
