import { randomBytes } from 'node:crypto';
import { aliasOf } from '../../src/engines/qdrant/names.js';

const OWN = `test-${randomBytes(6).toString('hex')}-`;

/** Prefix of aliases and collections of all test runs. */
export const TESTS_BEGIN = 'pith_test-';
/** Prefix of this suite. */
export const SUITE_BEGINS = aliasOf(OWN, '').slice(0, -1);

/** A unique project of this suite, so that tests can use a shared server. */
export function ownProject(name: string): string {
  return process.env['QDRANT_URL'] === undefined ? name : `${OWN}${name}`;
}
