import { readerAddress } from '../../core/section-id.js';
import { decodePercent } from '../../text/percent-encoding.js';

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** The kinds of addresses that a page links to. The others can run code or read files. */
const FOLLOWED = ['http:', 'https:', 'mailto:'];

function outside(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return FOLLOWED.includes(url.protocol) ? url.href : null;
}

/** The path that a link names, from the folder of a document; null if it leads out of the documents. */
function pathFrom(folder: readonly string[], written: string): string | null {
  const path: string[] = written.startsWith('/') ? [] : [...folder];
  for (const part of written.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') path.push(part);
    else if (path.pop() === undefined) return null;
  }
  return path.length === 0 ? null : path.join('/');
}

/**
 * Resolves the links of a document for a page: other documents are opened by the reader, whether they exist or not.
 * @param path  of the document, not encoded
 * @param isShown  true if the page shows the whole document, so that links within it stay there
 * @returns the address for a link; null for one that must not be followed
 */
export function documentLinks(path: string, isShown: boolean): (href: string) => string | null {
  const folder = path.split('/').slice(0, -1);
  return (href) => {
    const written = href.trim();
    if (written.startsWith('//')) return outside(`https:${written}`);
    if (SCHEME.test(written)) return outside(written);
    const [, before = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(written) ?? [];
    const target = before === '' ? path : pathFrom(folder, decodePercent(before));
    if (target === null || (before === '' && fragment === '')) return null;
    const address = readerAddress(target, decodePercent(fragment));
    return before === '' && isShown ? address.slice(address.indexOf('#')) : address;
  };
}
