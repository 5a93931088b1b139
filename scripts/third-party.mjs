// Collects the licences of the bundled packages in one file, as most of them require.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** The package folders among the inputs in esbuild's metafile. */
function packageFolders(root, inputs) {
  const folders = inputs.map((input) => FOLDER.exec(input)?.[1]).filter((folder) => folder !== undefined);
  return [...new Set(folders)].sort().map((folder) => join(root, folder));
}

function describe(folder) {
  const { name, version, ...manifest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // Old packages have a list of licences.
  const license = manifest.license ?? manifest.licenses?.map(({ type }) => type).join(' OR ');
  if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, license, text: texts.join('\n\n') };
}

/**
 * @param root  the checkout
 * @param inputs  paths of bundled files, relative to it
 * @returns one chapter for each package, by name
 */
export function thirdPartyNotices(root, inputs) {
  const packages = packageFolders(root, inputs).filter((folder) => existsSync(join(folder, 'package.json')));
  const chapters = packages.map(describe).map(({ name, version, license, text }) => {
    const title = `${name} ${version} (${license})`;
    return `${title}\n${'-'.repeat(title.length)}\n\n${text || `Its package contains no licence text; it is licensed under ${license}.`}`;
  });
  return `Pith contains the following packages, bundled into its files in dist/.\n\n${[...new Set(chapters)].sort().join('\n\n\n')}\n`;
}
