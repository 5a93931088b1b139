import type { Finding } from '../../cli/command-parts.js';
import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { databasePlace } from '../../config/ledger-place-of.js';
import { PithError } from '../../core/errors.js';
import { inspectDatabase } from './open-postgres.js';

type Facts = Awaited<ReturnType<typeof inspectDatabase>>;

const OLD = 'Use PostgreSQL 13 or later.';
const READ_ONLY =
  'Name the primary server in PITH_DATABASE or PITH_GOVERNANCE_DATABASE, and a role that may write.';
const RIGHTS =
  'Give these rights to the role in PITH_DATABASE or PITH_GOVERNANCE_DATABASE; docs/governance.md lists all that servers need.';

function findingOf(facts: Facts, place: string): Finding {
  const text = `${place}: PostgreSQL ${facts.version}`;
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

async function checkOne(
  config: Pick<Config, 'backends'>,
  setting: 'database' | 'governanceDatabase',
): Promise<Finding> {
  const name = setting === 'database' ? 'database' : 'governance database';
  const place = `${name} ${databasePlace(config.backends[setting])}`;
  try {
    return findingOf(await inspectDatabase(config, setting), place);
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return { isGood: false, text: error.message };
    if (!(error instanceof PithError)) throw error;
    return { isGood: false, text: `${place}: ${error.message}`, hint: error.commandHint };
  }
}

/** Checks the databases that are configured. It changes nothing. */
export async function checkDatabase(config: Pick<Config, 'backends'>): Promise<Finding[]> {
  const { database, governanceDatabase } = config.backends;
  return [
    ...(database === '' ? [] : [await checkOne(config, 'database')]),
    ...([database, ''].includes(governanceDatabase) ? [] : [await checkOne(config, 'governanceDatabase')]),
  ];
}
