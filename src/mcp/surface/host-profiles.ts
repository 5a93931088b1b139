import { z } from 'zod';
import { GENERIC_PROFILE } from '../../core/host-profile.js';
import type { HostProfile } from '../../core/host-profile.js';

const profileSchema = z.strictObject({
  clients: z.array(z.string().max(128)).max(64),
  names: z.enum(['dotted', 'underscore']),
  render: z.enum(['full', 'summary']),
  resourceLinks: z.boolean(),
});

/** The shape of `config/hosts.json` and of `PITH_HOSTS_FILE`. */
export const hostTableSchema = z.record(z.string().max(64), profileSchema);

export type HostTable = z.output<typeof hostTableSchema>;

/** What a caller reveals about its host. */
export interface HostHints {
  /** The MCP client's name. */
  readonly clientName: string | undefined;
  /** The HTTP `User-Agent`: all that a stateless 2025-era client sends. */
  readonly userAgent: string | undefined;
}

/** Longer names are not looked up. */
const MAX_NAME = 256;
/** mcp-remote appends itself to the name of the client that it serves. */
const BRIDGE = / *\(via [^()]*\)$/;
const VERSION = /[ /]v?\d[\w.+-]*$/;

/** A name without its bridge and version; case, spaces, hyphens and underscores make no difference. */
function normalised(name: string): string {
  if (name.length > MAX_NAME) return '';
  const bare = name.trim().replace(BRIDGE, '').replace(VERSION, '');
  return bare.toLowerCase().replace(/[ _-]+/g, '-');
}

/** Whether a name is the one in the table, where `*` stands for any text. */
function isNamed(pattern: string, name: string): boolean {
  const [start = '', ...ends] = pattern
    .toLowerCase()
    .replace(/[ _-]+/g, '-')
    .split('*');
  const end = ends.join('*');
  if (ends.length === 0) return name === start;
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}

/** The product in front of a user agent: `claude-code` of `claude-code/2.1.208 (cli)`. */
const productOf = (userAgent: string): string => userAgent.trim().split(/[\s(]/, 1)[0] ?? '';

function byName(table: HostTable, name: string): HostProfile | undefined {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!entry) return undefined;
  const { names, render, resourceLinks } = entry;
  return { name, names, render, resourceLinks };
}

/**
 * Chooses the profile of a host: by client name, else by the product of its user agent, else the configured one, else
 * the generic one.
 */
export function profileFor(table: HostTable, hints: HostHints, configured: string): HostProfile {
  const { clientName, userAgent } = hints;
  const name = normalised(clientName ?? productOf(userAgent ?? ''));
  const matching = Object.entries(table).find(([, { clients }]) =>
    clients.some((client) => isNamed(client, name)),
  );
  if (matching) return byName(table, matching[0]) ?? GENERIC_PROFILE;
  const fallback = clientName === undefined ? configured : '';
  return byName(table, fallback) ?? byName(table, 'generic') ?? GENERIC_PROFILE;
}
