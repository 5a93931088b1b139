import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** A link between two files, with paths below the folder. */
export interface WrittenLink {
  readonly from: string;
  readonly to: string;
}

const CODE = [/^(\s*)(```|~~~).*?^\s*\2[^\n]*$/gms, /`[^`\n]*`/g, /<!--.*?-->/gs];
const LINK = /(?<!!)\[[^\]]*\]\(\s*<?([^)\s>]+)/g;

const stemOf = (path: string): string => path.replace(/\.mdx?$/, '').replace(/(?:^|\/)index$/, '');

function candidates(files: readonly string[], from: string, place: string, folder: string): string[] {
  const path = place.replace(/\.mdx?$/, '').replace(/\/+$/, '');
  if (path.startsWith('.')) {
    const targets = [posix.dirname(from), stemOf(from)].map((base) => stemOf(posix.join(base, path)));
    return (
      targets.map((target) => files.filter((file) => stemOf(file) === target)).find((all) => all[0]) ?? []
    );
  }
  const tail = path.replace(/^\/+/, '');
  const inFolder = files.filter((file) => tail !== '' && file.startsWith(`${folder}/`));
  return inFolder.filter((file) => stemOf(file) === tail || stemOf(file).endsWith(`/${tail}`));
}

/**
 * Inline links outside code that can be resolved independently of Pith's rules. A relative link leads to the file of
 * that name, seen from the file's folder or from the URL at which the file is published. A link from the root, or to a
 * site in `sites` (host to folder), leads to the file in its folder whose path ends like the link. Links that match
 * several files or none are left out, and so are other sites, anchors on the same page and schemes such as `mailto:`.
 */
export function resolvableLinks(root: string, sites: Readonly<Record<string, string>>): WrittenLink[] {
  const entries = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = entries.map((path) => path.split(sep).join('/')).filter((path) => /\.mdx?$/.test(path));
  const found = new Map<string, WrittenLink>();
  for (const from of files.toSorted()) {
    const text = CODE.reduce((rest, code) => rest.replace(code, ''), readFileSync(join(root, from), 'utf8'));
    for (const [, href = ''] of text.matchAll(LINK)) {
      const [, host, below] = /^https?:\/\/([^/?#]+)([^?#]*)/.exec(href) ?? [];
      const folder = host === undefined ? from.split('/')[0] : sites[host];
      if (folder === undefined || (host === undefined && /^[a-z]+:/.test(href))) continue;
      const [to, ...others] = candidates(files, from, below ?? href.replace(/[?#].*/s, ''), folder);
      if (to !== undefined && to !== from && others.length === 0) found.set(`${from}\n${to}`, { from, to });
    }
  }
  return [...found.values()];
}
