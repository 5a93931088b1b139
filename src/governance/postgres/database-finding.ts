import type { Finding } from '../../cli/command-parts.js';
import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { databasePlace } from '../../config/ledger-place-of.js';
import { PithError } from '../../core/errors.js';
import { inspectDatabase } from './open-postgres.js';

type Facts = Awaited<ReturnType<typeof inspectDatabase>>;

const OLD = 'Use PostgreSQL 13 or later.';
const READ_ONLY = 'Name the primary server in PITH_GOVERNANCE_DATABASE, and a role that may write.';
const RIGHTS =
  'Give these rights to the role in PITH_GOVERNANCE_DATABASE; docs/governance.md lists all that servers need.';

function findingOf(facts: Facts, place: string): Finding {
  const text = `governance database ${place}: PostgreSQL ${facts.version}`;
  if (!facts.isSupported) return { isGood: false, text: `${text} is too old`, hint: OLD };
  if (facts.isReadOnly) return { isGood: false, text: `${text} is read-only`, hint: READ_ONLY };
  if (facts.missingRights.length > 0)
    return {
      isGood: false,
      text: `${text}, without the rights: ${facts.missingRights.join(', ')}`,
      hint: RIGHTS,
    };
  const tables = facts.hasTables ? 'the role has all rights' : 'the first server creates the tables';
  return { isGood: true, text: `${text}, ${tables}` };
}

/** Checks the governance database, if there is one. It changes nothing. */
export async function checkDatabase(config: Pick<Config, 'backends'>): Promise<Finding[]> {
  const { governanceDatabase: url } = config.backends;
  if (url === '') return [];
  try {
    return [findingOf(await inspectDatabase(config), databasePlace(url))];
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return [{ isGood: false, text: error.message }];
    if (!(error instanceof PithError)) throw error;
    return [
      {
        isGood: false,
        text: `governance database ${databasePlace(url)}: ${error.message}`,
        hint: error.commandHint,
      },
    ];
  }
}
