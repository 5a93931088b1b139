import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Ledger, MAX_LEDGER_LINES } from '../../core/ports/ledger.port.js';

const WHAT = 'governance.yaml';

/**
 * Records that a server starts with another governance file than the last one that the newest lines name.
 * @param file  path of the governance file; '' for none
 */
export async function noteConfiguration(ledger: Ledger, file: string): Promise<void> {
  if (file === '') return;
  const after = createHash('sha256').update(readFileSync(file)).digest('base64url');
  const lines = await ledger.lines({ from: 'newest', limit: MAX_LEDGER_LINES });
  const events = lines.map(({ event }) => event).filter((event) => event.type === 'configuration.changed');
  const before = events.at(-1)?.after ?? null;
  if (before === after) return;
  await ledger.append([{ type: 'configuration.changed', what: WHAT, before, after }], { durable: true });
}
