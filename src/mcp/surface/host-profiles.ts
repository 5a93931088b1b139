import { z } from 'zod';
import { GENERIC_PROFILE, type HostProfile } from '../../core/host-profile.js';

const profileSchema = z.strictObject({
  clients: z.array(z.string().max(128)).max(64),
  names: z.enum(['dotted', 'underscore']),
  render: z.enum(['full', 'summary']),
  resourceLinks: z.boolean(),
  searchFetch: z.boolean().optional(),
});

/** The shape of `config/hosts.json` and of `PITH_HOSTS_FILE`. */
export const hostTableSchema = z.record(z.string().max(64), profileSchema);

export type HostTable = z.output<typeof hostTableSchema>;

/** Facts about a caller's host. */
export interface HostHints {
  readonly clientName: string | undefined;
  /** The HTTP `User-Agent`; stateless 2025-era clients send nothing else. */
  readonly userAgent: string | undefined;
}

/** Longer names are not looked up. */
const MAX_NAME = 256;
/** mcp-remote appends its own name to the client's name. */
const BRIDGE = / *\(via [^()]*\)$/;
const VERSION = /[ /]v?\d[\w.+-]*$/;

const unified = (text: string): string => text.toLowerCase().replace(/[ _-]+/g, '-');

/** Lower-cases a name, removes bridge and version, and unifies spaces, hyphens and underscores. */
function normalised(name: string): string {
  if (name.length > MAX_NAME) return '';
  return unified(name.trim().replace(BRIDGE, '').replace(VERSION, ''));
}

/** A test of names against a pattern of the table, where `*` stands for any text. */
function nameMatcher(client: string): (name: string) => boolean {
  const [start = '', ...ends] = unified(client).split('*');
  if (ends.length === 0) return (name) => name === start;
  const end = ends.join('*');
  return (name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}

/** The product at the start of a user agent: `claude-code/2.1.208` of `claude-code/2.1.208 (cli)`. */
const agentProduct = (userAgent: string): string => userAgent.trim().split(/[\s(]/, 1)[0] ?? '';

function byName(table: HostTable, name: string): HostProfile | undefined {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!entry) return undefined;
  const { clients: _, ...profile } = entry;
  return { name, ...profile };
}

/**
 * Chooses a host's profile by client name, or by the product of its user agent if the host sent no name. Without a
 * match, a host without a name gets the configured profile; all others get the generic one.
 */
export function profileFinder(table: HostTable, configured: string): (hints: HostHints) => HostProfile {
  const hosts = Object.entries(table).map(([name, { clients }]) => ({
    profile: byName(table, name),
    matchers: clients.map(nameMatcher),
  }));
  return ({ clientName, userAgent }) => {
    const name = normalised(clientName ?? agentProduct(userAgent ?? ''));
    const matching = hosts.find(({ matchers }) => matchers.some((matches) => matches(name)));
    if (matching) return matching.profile ?? GENERIC_PROFILE;
    const fallback = clientName === undefined ? configured : '';
    return byName(table, fallback) ?? byName(table, 'generic') ?? GENERIC_PROFILE;
  };
}
