/** An address on the web, so that two that name one place are equal. */
export interface SiteAddress {
  /** Lower case, without `www.` and the usual ports. */
  readonly host: string;
  /** As written, without query; `''`, or from a slash on. */
  readonly path: string;
}

const ADDRESS = /^(?:https?:)?\/\/([^/?#@\\]+)([^?#]*)/i;

/**
 * Reads `http://…`, `https://…` and `//…`.
 * @returns null for everything else, and for addresses with a user
 */
export function siteAddress(url: string): SiteAddress | null {
  const [, host = '', path = ''] = ADDRESS.exec(url) ?? [];
  const plain = host
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/^www\./, '');
  return plain === '' || (path !== '' && !path.startsWith('/')) ? null : { host: plain, path };
}

/**
 * What is left of a path below another one.
 * @returns from a slash on, or `''`; null where it isn't below
 */
export function pathBelow(path: string, base: string): string | null {
  const bare = base.replace(/(?<!\/)\/+$/, '');
  return path === bare || path.startsWith(`${bare}/`) ? path.slice(bare.length) : null;
}
