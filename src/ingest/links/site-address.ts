/** A normalized web address: two addresses of one place are equal. */
export interface SiteAddress {
  /** Lower case, without `www.` and default ports. */
  readonly host: string;
  /** As written, without query; `''` or starting with a slash. */
  readonly path: string;
}

const ADDRESS = /^(?:https?:)?\/\/([^/?#@\\]+)([^?#]*)/i;

/** Reads `http://…`, `https://…` and `//…`; null for everything else, and for addresses with a user name. */
export function siteAddress(url: string): SiteAddress | null {
  const [, host = '', path = ''] = ADDRESS.exec(url) ?? [];
  const plain = host
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/^www\./, '');
  return plain === '' || (path !== '' && !path.startsWith('/')) ? null : { host: plain, path };
}

/** Removes a base path. @returns `''` or a path that starts with a slash; null if `path` is not below `base` */
export function pathBelow(path: string, base: string): string | null {
  const bare = base.replace(/(?<!\/)\/+$/, '');
  return path === bare || path.startsWith(`${bare}/`) ? path.slice(bare.length) : null;
}
