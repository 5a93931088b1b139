import { encodeParts } from '../../text/percent-encoding.js';
import { type CheckedAddress, checkedAddresses, InvalidAddressError } from '../guarded-address.js';
import { shownAddress } from '../read-address.js';
import type { GitSource } from '../source.js';
import { authorization, sourceSecret } from '../source-secret.js';
import type { GitPlace } from './git-program.js';

type Connection = Pick<GitPlace, 'settings' | 'protocol' | 'secrets'>;

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;
/** `git@host:path`. */
const WITHOUT_SCHEME = /^(?:[\w.+-]+@)?([\w.-]+|\[[\da-f:.]+\]):(.+)$/i;

/** Where a repository is. */
interface Remote {
  /** In brackets for an address of IPv6. */
  readonly hostname: string;
  /** '' for the default one. */
  readonly port: string;
  /** Without the first slash. */
  readonly path: string;
}

/** @returns null for an address without a host that is a name or a number */
function remote(address: string): Remote | null {
  const [, name, place] = WITHOUT_SCHEME.exec(address) ?? [];
  if (!address.includes('://') && name !== undefined)
    return { hostname: name, port: '', path: place?.replace(/^\/+/, '') ?? '' };
  if (!URL.canParse(address)) return null;
  const { hostname, port, pathname } = new URL(address);
  // Other characters would mean something to the shell that starts ssh.
  return HOST.test(hostname) ? { hostname, port, path: pathname.replace(/^\/+/, '') } : null;
}

/** The users that forges expect with a token. */
const TOKEN_USERS: Readonly<Record<string, string>> = {
  'bitbucket.org': 'x-token-auth',
  'gitlab.com': 'oauth2',
};

/**
 * How git reaches a source. The host is checked, and git connects to the addresses that were checked.
 * @throws RefusedAddressError; InvalidConfigurationError for a secret that is not set
 */
export async function gitConnection(source: GitSource): Promise<Connection> {
  const { address } = source;
  // GitLab redirects to the address with the ending, and redirects are not followed.
  const ending = /^https:\/\/gitlab\.com\/.*(?<!\.git)$/.test(address) ? '.git' : '';
  const origin = ['remote.origin.url', address + ending] as const;
  if (address.startsWith('file:')) return { settings: [origin], protocol: 'file', secrets: [] };
  if (!/^https?:/i.test(address))
    return { protocol: 'ssh', secrets: [], settings: [origin, await ssh(source)] };
  const url = new URL(address);
  const pinned = pinnedHost(url, await checkedAddresses(url, source));
  const secret = sourceSecret(source);
  const header = authorization(secret, TOKEN_USERS[url.hostname] ?? 'x-access-token');
  const settings = [
    origin,
    ['http.curloptResolve', pinned] as const,
    ...(secret === '' ? [] : [[`http.${url.origin}/.extraHeader`, `Authorization: ${header}`] as const]),
  ];
  return { settings, protocol: url.protocol.slice(0, -1), secrets: secretForms(secret) };
}

function pinnedHost({ hostname, port, protocol }: URL, addresses: readonly CheckedAddress[]): string {
  const list = addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address)).join(',');
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}:${list}`;
}

const secretForms = (secret: string): string[] =>
  secret === '' ? [] : [secret, ...secret.split(/[: ]/).filter((part) => part.length > 7)];

/** A host that the list allows may be a name of the user's ssh configuration, which knows its address. */
async function ssh(source: GitSource): Promise<readonly [string, string]> {
  const found = remote(source.address);
  if (found === null) throw new InvalidAddressError('its host is not a name');
  const { hostname, port } = found;
  const url = new URL(`https://${hostname}${port === '' ? '' : `:${port}`}/`);
  const isAllowed = source.allowedHosts.some((allowed) => [url.host, hostname].includes(allowed));
  const [first] = isAllowed ? [] : await checkedAddresses(url, source);
  const host = hostname.replace(/^\[|\]$/g, '');
  const alias = port === '' || port === '22' ? host : `[${host}]:${port}`;
  const pin = !first ? '' : ` -oHostName=${first.address} -oHostKeyAlias=${alias}`;
  return ['core.sshCommand', `ssh -oBatchMode=yes -oStrictHostKeyChecking=yes -oConnectTimeout=20${pin}`];
}

/** The commit that a page is of. */
interface PageRef {
  readonly shown: string;
  readonly isTag: boolean;
}

/** Where a forge shows a file. Branches, not commits: the address of a page stays when another page changes. */
const PAGES: readonly (readonly [host: RegExp, between: (ref: PageRef) => string])[] = [
  [/^github\./, ({ shown }) => `blob/${shown}`],
  [/^gitlab\./, ({ shown }) => `-/blob/${shown}`],
  [/^bitbucket\.org$/, ({ shown }) => `src/${shown}`],
  [
    /^(?:codeberg\.org|(?:gitea|forgejo)\..+)$/,
    ({ shown, isTag }) => `src/${isTag ? 'tag' : 'branch'}/${shown}`,
  ],
];

/** The address of a file of a repository: its page at the forge, or `ADDRESS#BRANCH:PATH`. @param path  in the repository */
export function gitPageAddress(source: GitSource, ref: PageRef, path: string): string {
  const shown = shownAddress(source);
  const { hostname = '', path: repository = '' } = remote(shown) ?? {};
  const [, between] = PAGES.find(([pattern]) => pattern.test(hostname)) ?? [];
  const escaped = encodeParts(path);
  const isForge = between !== undefined && !shown.startsWith('file:');
  if (!isForge) return `${shown}#${ref.shown}:${escaped}`;
  // The port of ssh is not that of the pages.
  const isOnPort = /^https?:/i.test(shown) && new URL(shown).port !== '';
  const site = isOnPort ? new URL(shown).origin : `https://${hostname}`;
  return `${site}/${repository.replace(/(?:\.git)?\/?$/i, '')}/${between(ref)}/${escaped}`;
}
