// Describes the bundled packages: their licences in one file, as most of them require, and a software bill of materials.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license  an SPDX expression
 * @property {string} text  of the licence; may be empty
 * @property {string} integrity  of its tarball, as package-lock.json has it
 */

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** The package folders among the inputs in esbuild's metafile. */
function packageFolders(inputs) {
  const folders = inputs.map((input) => FOLDER.exec(input)?.[1]).filter((folder) => folder !== undefined);
  return [...new Set(folders)].sort();
}

/** A package that contains another one, which has no folder of its own. */
const CONTAINED = {
  unpdf: {
    license: 'MIT AND Apache-2.0 AND BSD-3-Clause',
    text: `It contains PDF.js (https://github.com/mozilla/pdf.js), copyright Mozilla Foundation, licensed under the Apache License,
Version 2.0: https://www.apache.org/licenses/LICENSE-2.0

The maps of characters of PDF.js are in config/pdf-cmaps.br:

Copyright 1990-2009 Adobe Systems Incorporated.
All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

Redistributions of source code must retain the above copyright notice, this list of conditions and the following
disclaimer.

Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
disclaimer in the documentation and/or other materials provided with the distribution.

Neither the name of Adobe Systems Incorporated nor the names of its contributors may be used to endorse or promote
products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`,
  },
};

function describe(folder) {
  const { name, version, ...manifest } = readJson(folder, 'package.json');
  // Old packages have a list of licences.
  const contained = CONTAINED[name];
  const license =
    contained?.license ?? manifest.license ?? manifest.licenses?.map(({ type }) => type).join(' OR ');
  if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, license, text: [...texts, ...(contained ? [contained.text] : [])].join('\n\n') };
}

/**
 * @param {string} root  the checkout
 * @param {readonly string[]} inputs  paths of bundled files, relative to it
 * @returns {BundledPackage[]} by name and version, each once
 */
export function bundledPackages(root, inputs) {
  const { packages } = readJson(root, 'package-lock.json');
  const found = packageFolders(inputs)
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ ...describe(join(root, folder)), integrity: packages[folder]?.integrity ?? '' }));
  const byTitle = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byTitle.keys()].sort().map((title) => byTitle.get(title));
}

const COPYRIGHT = /^\W*(?:copyright|\(c\)|©).*\d.*$/gim;
/** A licence without the lines that name its holders, which differ, in any width of lines. */
const terms = (text) => text.replace(COPYRIGHT, '').replace(/\W+/g, ' ').trim().toLowerCase();

/** A package and its copyright, before the licence that it shares with others. */
function entry({ name, version, license, text }) {
  const holders = (text.match(COPYRIGHT) ?? []).map((line) => `  ${line.trim()}`);
  return [`${name} ${version} (${license})`, ...new Set(holders)].join('\n');
}

/** @param {readonly BundledPackage[]} packages @returns one chapter for each licence, with the packages that have it */
export function thirdPartyNotices(packages) {
  const chapters = new Map(packages.map(({ text }) => [terms(text), []]));
  for (const one of packages) chapters.get(terms(one.text)).push(one);
  const texts = [...chapters.values()].map((shared) => {
    const [{ text }] = shared;
    const licence = text
      .replace(COPYRIGHT, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    const body = licence || 'These packages contain no licence text; each is licensed as its line says.';
    return `${shared.map(entry).join('\n')}\n${'-'.repeat(80)}\n\n${body}`;
  });
  return `Pith contains the following packages, bundled into its files in dist/.\n\n${texts.join('\n\n\n')}\n`;
}

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function component({ name, version, license, integrity }) {
  const [unscoped, scope] = name.split('/').reverse();
  const purl = purlOf(name, version);
  const [, hash] = /^sha512-(.+)$/.exec(integrity) ?? [];
  if (hash === undefined) throw new Error(`package-lock.json has no SHA-512 of ${name} ${version}`);
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope === undefined ? {} : { group: scope }),
    name: unscoped,
    version,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  };
}

/**
 * The bundled packages in CycloneDX 1.5, for scanners. The same packages give the same bytes: no time, no serial number.
 * @param {readonly BundledPackage[]} packages
 * @param {{ name: string, version: string, license: string }} product  package.json
 */
export function billOfMaterials(packages, { name, version, license }) {
  const purl = purlOf(name, version);
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl,
        name,
        version,
        licenses: [{ license: { id: license } }],
        purl,
      },
    },
    components: packages.map(component),
  };
  return `${JSON.stringify(bill, null, 1)}\n`;
}
