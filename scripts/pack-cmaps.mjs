// node scripts/pack-cmaps.mjs FOLDER: packs the maps of characters that PDF 1.7 lists in table 118 into config/pdf-cmaps.br.
// FOLDER is cmaps of the npm package pdfjs-dist 5.6.205. The file has a line with their sizes in JSON, and then the maps.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('give a folder');

/** Names without the direction, `-H` or `-V`. */
const LISTED =
  'GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16 B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2 ' +
  'UniCNS-UTF16 83pv-RKSJ 90ms-RKSJ 90msp-RKSJ 90pv-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16 ' +
  'KSC-EUC KSCms-UHC KSCms-UHC-HW KSCpc-EUC UniKS-UCS2 UniKS-UTF16';
const COLLECTIONS = ['CNS1', 'GB1', 'Japan1', 'Korea1'].map((name) => `Adobe-${name}-UCS2`);

const names = ['H', 'V', ...LISTED.split(' ').flatMap((name) => [`${name}-H`, `${name}-V`]), ...COLLECTIONS];
const maps = names
  .map((name) => `${name}.bcmap`)
  .filter((name) => existsSync(join(folder, name)))
  .map((name) => [name, readFileSync(join(folder, name))]);
const sizes = JSON.stringify(maps.map(([name, bytes]) => [name, bytes.length]));
const packed = brotliCompressSync(
  Buffer.concat([Buffer.from(`${sizes}\n`), ...maps.map(([, bytes]) => bytes)]),
);
writeFileSync(join(dirname(fileURLToPath(import.meta.url)), '..', 'config', 'pdf-cmaps.br'), packed);
