import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { BackendUnavailableError, codeIn, InvalidArgumentError } from '../core/errors.js';

/** Which hosts Pith may connect to. */
export interface AddressPolicy {
  /** Hosts whose names and addresses are not checked: `host` for the default port of the scheme, or `host:port`. */
  readonly allowedHosts: readonly string[];
  /** All addresses of a host name. Default: those that the system knows. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** An address that a connection may be made to. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** An address that Pith does not connect to, because it is not a public one. */
export class RefusedAddressError extends InvalidArgumentError {
  /** @param host  with its port if it is not the default one */
  constructor(host: string, reason: string) {
    super(`Pith does not connect to ${host}: ${reason}.`, {
      reason: 'address_refused',
      hint: `Use a public address, or add "${host}" to the allowed hosts of the source.`,
      commandHint: `Use a public address, or allow it with --allow-host ${host}; in a list, with allowed_hosts.`,
    });
  }
}

/** A host that the system does not find, as without a network. */
export class UnknownHostError extends BackendUnavailableError {
  constructor(host: string, cause: unknown) {
    super(`The host ${host} is not found (${codeIn(cause)}).`, {
      reason: 'source_unavailable',
      hint: 'Check the address and the network, and try again.',
      cause,
    });
  }
}

/** An address that can't be that of a source. The message does not repeat it, because it may contain a password. */
export class InvalidAddressError extends InvalidArgumentError {
  constructor(reason: string) {
    super(`The address can't be used: ${reason}.`, {
      reason: 'address_invalid',
      hint: 'Use an address such as https://docs.example.com/guide/, without a user and a password.',
    });
  }
}

/** Special ranges of IPv4 (RFC 6890 and its registry), and Azure's address of metadata. */
const REFUSED_4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);
/** Public addresses of IPv6 are global unicast. */
const GLOBAL_6 = blockList('ipv6', ['2000::/3']);
/** Of global unicast: protocols such as Teredo, documentation, 6to4. */
const REFUSED_6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
/** Addresses that stand for one of IPv4, which are their last 32 bits: mapped ones, and NAT64. */
const STANDS_FOR_4 = blockList('ipv6', ['::ffff:0:0/96', '64:ff9b::/96']);

/** Names that only machines of one network know. */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|internal|localdomain|lan|home|corp|intranet|private|arpa|onion)$/;

/** True for an IP address that anybody on the internet can reach. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !REFUSED_4.check(address, 'ipv4');
  // The zone of a link-local address, such as %eth0, is not part of others.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  if (STANDS_FOR_4.check(address, 'ipv6')) return !REFUSED_4.check(lastFourBytes(address), 'ipv4');
  return GLOBAL_6.check(address, 'ipv6') && !REFUSED_6.check(address, 'ipv6');
}

/**
 * Reads the address of a source as it was written.
 * @throws InvalidAddressError for other schemes than http and https, a user or a password, and numbers of hosts that are not
 *   written as four decimal ones
 */
export function parseAddress(text: string): URL {
  if (!URL.canParse(text)) throw new InvalidAddressError('it is not a URL');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new InvalidAddressError('only http and https are read');
  if (url.username !== '' || url.password !== '') throw new InvalidAddressError('it contains a user');
  // URL turns 0x7f.1, 2130706433 and 0177.0.0.1 into 127.0.0.1.
  if (isIP(url.hostname) === 4 && !text.includes(`//${url.hostname}`)) {
    throw new InvalidAddressError('its host is a number in another form than 192.0.2.1');
  }
  return url;
}

/**
 * Finds the addresses of a host and checks each. A connection must be made to one of them: another query can give others.
 * @param url  of http or https
 * @returns at least one
 * @throws RefusedAddressError if the name is local, or one of its addresses is not public; UnknownHostError
 */
export async function checkedAddresses(url: URL, policy: AddressPolicy): Promise<readonly CheckedAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isAllowedHost(url, policy.allowedHosts);
  if (!isAllowed) checkName(url.host, host);
  const found = isIP(host) === 0 ? await findHost(host, policy) : [host];
  const [refused] = found.filter(
    (address) => isIP(address) === 0 || (!isAllowed && !isPublicAddress(address)),
  );
  if (refused !== undefined) throw new RefusedAddressError(url.host, `${refused} is not a public address`);
  if (found.length === 0) throw new RefusedAddressError(url.host, 'it has no address');
  return found.map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 }));
}

/** A lookup for a connection that gives checked addresses only, whatever the name of the host resolves to by then. */
export function pinnedLookup(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error('no address is known'), '');
  };
}

function isAllowedHost({ host, hostname, port, protocol }: URL, allowedHosts: readonly string[]): boolean {
  const withPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return allowedHosts.some((allowed) => [host, withPort].includes(allowed.toLowerCase()));
}

function checkName(shown: string, host: string): void {
  if (isIP(host) !== 0) return;
  const name = host.replace(/\.$/, '');
  if (LOCAL_NAME.test(name) || !name.includes('.'))
    throw new RefusedAddressError(shown, 'its name is a local one');
}

async function findHost(host: string, { resolve }: AddressPolicy): Promise<readonly string[]> {
  try {
    return await (resolve ?? systemAddresses)(host);
  } catch (cause) {
    throw codeIn(cause) === '' ? cause : new UnknownHostError(host, cause);
  }
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

/** The last 32 bits of an IPv6 address, as one of IPv4. */
function lastFourBytes(address: string): string {
  // URL writes the last groups as hexadecimal numbers, also if they were written as 127.0.0.1.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high, low] = groups.slice(-2).map((group) => parseInt(group || '0', 16));
  return [(high ?? 0) >> 8, (high ?? 0) & 255, (low ?? 0) >> 8, (low ?? 0) & 255].join('.');
}
