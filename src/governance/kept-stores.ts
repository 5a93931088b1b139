import { resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { serverSecret } from '../config/server-secret.js';
import { InvalidArgumentError } from '../core/errors.js';
import type { KeptStore } from '../sqlite/stores/kept-store.js';
import { accessSchema } from './access/access-file.js';
import { parseYamlFile, readConfigurationText } from './files/read-yaml-file.js';
import { GOVERNANCE_STORE } from './governance-store.js';
import { LEDGER_KIND } from './ledger/store/ledger-failures.js';
import { openLedgerForReading } from './ledger/store/open-ledger.js';

/** The files of governance, for backups; none if it is in a database. */
export function listGovernanceStores(config: Config): readonly KeptStore[] {
  if (config.backends.governanceDatabase !== '') return [];
  const { ledger, governance } = config;
  return [
    {
      ...{ name: 'ledger.sqlite', file: ledger.file, kind: LEDGER_KIND },
      check: (copy) => verifyCopy(copy, config),
    },
    { name: 'governance.sqlite', file: governance.storeFile, kind: GOVERNANCE_STORE },
  ];
}

/** Lines about the projects of PITH_ACCESS_FILE, which have stores of their own. @throws InvalidConfigurationError */
export function furtherProjects({ http: { accessFile } }: Config): readonly string[] {
  if (accessFile === '') return [];
  const text = readConfigurationText(accessFile, 'PITH_ACCESS_FILE');
  const format = { schema: accessSchema, inconsistencies: () => [] };
  return Object.entries(parseYamlFile(text, accessFile, format).projects).map(
    ([name, { index, settings }]) => {
      const others = Object.keys(settings).join(', ');
      const command = `PITH_PROJECT=${name} pith backup FILE --index "${resolve(index)}"`;
      return `Not in it: the project ${name}. Run ${command}${others && `, with its settings of ${others}`}.`;
    },
  );
}

/** @throws BackendUnavailableError `ledger_secret_missing`; InvalidArgumentError `backup_damaged`, `backup_other_secret` */
async function verifyCopy(file: string, config: Config): Promise<void> {
  const ledger = openLedgerForReading(
    { ...config, ledger: { ...config.ledger, file } },
    serverSecret(config),
  );
  try {
    const result = await ledger.verify();
    if (result.isIntact) return;
    const isOther = result.damage === 'other_secret';
    throw new InvalidArgumentError(
      `The ledger of the backup is not intact: ${result.message} Nothing was restored.`,
      {
        reason: isOther ? 'backup_other_secret' : 'backup_damaged',
        hint: isOther
          ? 'Set PITH_SECRET to the secret of the server that made the backup, or put its secret file beside the index.'
          : 'Use another backup.',
      },
    );
  } finally {
    await ledger.close();
  }
}
