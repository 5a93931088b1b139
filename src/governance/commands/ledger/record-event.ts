import { existsSync } from 'node:fs';
import type { Config } from '../../../config/config.js';
import { serverSecret } from '../../../config/server-secret.js';
import type { RecordedEvent } from '../../ledger/ledger-event.js';
import { openLedger } from '../../ledger/store/open-ledger.js';

/** Records the event of a command in the ledger of the servers, if there is one. */
export async function recordEvent(config: Config, event: RecordedEvent): Promise<void> {
  const { mode, file } = config.ledger;
  const secret = serverSecret(config);
  // With `auto`, the servers decide; a ledger that exists is one that they write.
  const hasLedger = config.backends.governanceDatabase !== '' || existsSync(file);
  const isRecorded = mode === 'on' || (mode === 'auto' && secret.isLasting && hasLedger);
  if (!isRecorded) return;
  const ledger = openLedger(config, secret, () => undefined);
  try {
    await ledger.append([event], { durable: true });
  } finally {
    await ledger.close();
  }
}
