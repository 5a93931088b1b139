import { z } from 'zod';

const profileSchema = z.strictObject({
  clients: z.array(z.string().max(128)).max(64),
  names: z.enum(['dotted', 'underscore']),
  render: z.enum(['full', 'summary']),
  resourceLinks: z.boolean(),
});

/** The shape of `config/hosts.json` and of `PITH_HOSTS_FILE`. */
export const hostTableSchema = z.record(z.string().max(64), profileSchema);

export type HostTable = z.output<typeof hostTableSchema>;

/** What one kind of host needs. */
export interface HostProfile {
  readonly name: string;
  /** How it wants tools spelled: some refuse dots. */
  readonly names: 'dotted' | 'underscore';
  /** `summary` for hosts that forward both forms to their model, else the text stands alone. */
  readonly render: 'full' | 'summary';
  /** Whether it knows `resource_link` blocks and does something with them. */
  readonly resourceLinks: boolean;
}

/** What a caller let us know of its host. */
export interface HostHints {
  /** The MCP client's name. */
  readonly clientName: string | undefined;
  /** The HTTP `User-Agent`: all that a stateless 2025-era client tells. */
  readonly userAgent: string | undefined;
}

/** Unknown hosts get the dotted names and text that stands alone. */
export const GENERIC_PROFILE: HostProfile = {
  name: 'generic',
  names: 'dotted',
  render: 'full',
  resourceLinks: false,
};

function byName(table: HostTable, name: string): HostProfile | undefined {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!entry) return undefined;
  const { names, render, resourceLinks } = entry;
  return { name, names, render, resourceLinks };
}

/**
 * Chooses the profile of a host: by client name, else by the start of its user agent, else the configured one, else
 * the generic one.
 */
export function profileFor(table: HostTable, hints: HostHints, configured: string): HostProfile {
  const { clientName, userAgent } = hints;
  const matching = Object.entries(table).find(([, { clients }]) =>
    clients.some((client) => {
      if (clientName !== undefined) return clientName.toLowerCase() === client.toLowerCase();
      return userAgent?.toLowerCase().startsWith(`${client.toLowerCase()}/`) ?? false;
    }),
  );
  if (matching) return byName(table, matching[0]) ?? GENERIC_PROFILE;
  const fallback = clientName === undefined ? configured : '';
  return byName(table, fallback) ?? byName(table, 'generic') ?? GENERIC_PROFILE;
}
