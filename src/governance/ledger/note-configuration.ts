import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config.js';
import { type Ledger, MAX_LEDGER_LINES } from '../../core/ports/ledger.port.js';

/** Stands for the hash of a file when there is none. */
const NO_FILE = 'none';
/** Queries for the last changes, so that the start does not read a large ledger as a whole. */
const MAX_QUERIES = 50;

interface Configured {
  readonly governance: Pick<Config['governance'], 'file' | 'agent'>;
  readonly http: Pick<Config['http'], 'accessFile'>;
}

const hashOf = (file: string, before = ''): string =>
  file === '' ? NO_FILE : createHash('sha256').update(before).update(readFileSync(file)).digest('base64url');

/** The version of each file. That of the governance file includes the agent. */
const versionsOf = ({ governance, http }: Configured): Readonly<Record<string, string>> => ({
  'governance.yaml': hashOf(governance.file, `${governance.agent}\n`),
  'access.yaml': hashOf(http.accessFile),
});

/** The versions that the last changes name, by file. Changes before the newest 50,000 lines are not found. */
async function lastVersions(ledger: Ledger, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let before = Number.MAX_SAFE_INTEGER;
  for (let queries = 0; queries < MAX_QUERIES && found.size < files.length; queries++) {
    const lines = await ledger.lines({ before, from: 'newest', limit: MAX_LEDGER_LINES });
    for (const { event } of lines.toReversed()) {
      // Other changes are acceptances of external tools.
      if (event.type !== 'configuration.changed' || !files.includes(event.what)) continue;
      if (!found.has(event.what)) found.set(event.what, event.after);
    }
    if (lines.length < MAX_LEDGER_LINES) break;
    before = lines[0]?.seq ?? 0;
  }
  return found;
}

/**
 * Records that a server uses another governance file, agent or access file than before.
 * @param only  the only file that was read, if it was not the start
 */
export async function noteConfiguration(ledger: Ledger, config: Configured, only?: string): Promise<void> {
  const versions = versionsOf(config);
  const files = only === undefined ? Object.keys(versions) : [only];
  const last = await lastVersions(ledger, files);
  const changes = files.flatMap((what) => {
    const after = versions[what] ?? NO_FILE;
    const before = last.get(what) ?? null;
    if (after === (before ?? NO_FILE)) return [];
    return [{ type: 'configuration.changed' as const, what, before, after }];
  });
  if (changes.length > 0) await ledger.append(changes, { durable: true });
}
