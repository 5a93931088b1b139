import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { GovernanceConfig } from '../../config/settings/governance.config.js';
import type { ConfigurationChangedEvent } from '../../core/ledger/ledger-event.js';
import { type Ledger, MAX_LEDGER_LINES } from '../../core/ports/ledger.port.js';

const WHAT = 'governance.yaml';
/** Stands for the hash of a file when there is none. */
const NO_FILE = 'none';
/** Queries for the last change, so that the start does not read a large ledger as a whole. */
const MAX_QUERIES = 50;

type Governed = Pick<GovernanceConfig, 'file' | 'agent'>;

/** Hash of the agent and the file. */
function versionOf({ file, agent }: Governed): string {
  if (file === '') return NO_FILE;
  const hash = createHash('sha256').update(`${agent}\n`).update(readFileSync(file));
  return hash.digest('base64url');
}

/** Acceptances of definitions are changes of the configuration, too. */
const isOfFile = ({ what }: ConfigurationChangedEvent): boolean => what === WHAT;

/** The version that the last change names; null if none of the newest 50,000 lines is a change. */
async function lastVersion(ledger: Ledger): Promise<string | null> {
  let before = Number.MAX_SAFE_INTEGER;
  for (let queries = 0; queries < MAX_QUERIES; queries++) {
    const lines = await ledger.lines({ before, from: 'newest', limit: MAX_LEDGER_LINES });
    const events = lines.map(({ event }) => event);
    const change = events.filter((event) => event.type === 'configuration.changed').findLast(isOfFile);
    if (change) return change.after;
    if (lines.length < MAX_LEDGER_LINES) return null;
    before = lines[0]?.seq ?? 0;
  }
  return null;
}

/** Records that a server starts with another governance file or agent than the server before. */
export async function noteConfiguration(ledger: Ledger, governance: Governed): Promise<void> {
  const after = versionOf(governance);
  const before = await lastVersion(ledger);
  if (after === (before ?? NO_FILE)) return;
  await ledger.append([{ type: 'configuration.changed', what: WHAT, before, after }], { durable: true });
}
