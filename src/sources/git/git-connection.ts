import { type CheckedAddress, checkedAddresses } from '../guarded-address.js';
import { shownAddress } from '../read-address.js';
import type { GitSource } from '../source.js';
import { authorization, sourceSecret } from '../source-secret.js';
import type { GitPlace } from './git-program.js';

type Connection = Pick<GitPlace, 'settings' | 'protocol' | 'secrets'>;

/** `git@host:path`, and `ssh://git@host:22/path`. */
const SSH = /^(?:ssh:\/\/)?(?:[\w.+-]+@)?([\w.-]+)(?::(\d+)(?=\/))?[:/]/i;

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
  const remote = ['remote.origin.url', address + ending] as const;
  if (address.startsWith('file:')) return { settings: [remote], protocol: 'file', secrets: [] };
  if (!/^https?:/i.test(address))
    return { protocol: 'ssh', secrets: [], settings: [remote, await ssh(source)] };
  const url = new URL(address);
  const pinned = pinnedHost(url, await checkedAddresses(url, source));
  const secret = sourceSecret(source);
  const header = authorization(secret, TOKEN_USERS[url.hostname] ?? 'x-access-token');
  const settings = [
    remote,
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
  const [, host = '', port = ''] = SSH.exec(source.address) ?? [];
  const url = new URL(`https://${host}${port === '' ? '' : `:${port}`}/`);
  const isAllowed = source.allowedHosts.some((allowed) => [url.host, host].includes(allowed));
  const [first] = isAllowed ? [] : await checkedAddresses(url, source);
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

const HOST_AND_PATH =
  /^(?:(?:https?|ssh):\/\/)?(?:[\w.+-]+@)?([\w.-]+)(?::\d+(?=\/))?[:/](.+?)(?:\.git)?\/?$/i;

/** The address of a file of a repository: its page at the forge, or `ADDRESS#BRANCH:PATH`. @param path  in the repository */
export function gitPageAddress(source: GitSource, ref: PageRef, path: string): string {
  const [, host = '', repository = ''] = HOST_AND_PATH.exec(shownAddress(source)) ?? [];
  const [, between] = PAGES.find(([pattern]) => pattern.test(host)) ?? [];
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  const isForge = between !== undefined && !source.address.startsWith('file:');
  if (!isForge) return `${shownAddress(source)}#${ref.shown}:${escaped}`;
  return `https://${host}/${repository.replace(/^\/+/, '')}/${between(ref)}/${escaped}`;
}
