import { randomBytes } from 'node:crypto';
import { aliasOf } from '../../src/engines/qdrant/names.js';

const OWN = `test-${randomBytes(6).toString('hex')}-`;

/** How aliases and collections of every run of these tests begin. */
export const TESTS_BEGIN = 'pith_test-';
/** How those of this suite begin. */
export const SUITE_BEGINS = aliasOf(OWN, '').slice(0, -1);

/** A project of this suite alone, so that tests can work on a server that others use. */
export function ownProject(name: string): string {
  return process.env['QDRANT_URL'] === undefined ? name : `${OWN}${name}`;
}
