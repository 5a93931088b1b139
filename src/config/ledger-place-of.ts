import type { Config } from './config.js';

/** The database of a PostgreSQL URL, without user, password and parameters. */
export function databasePlace(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** Where the ledger is, for messages. */
export function ledgerPlaceOf({ backends, ledger }: Pick<Config, 'backends' | 'ledger'>): string {
  const { governanceDatabase: url } = backends;
  return url === '' ? ledger.file : databasePlace(url);
}
