import { QdrantClient } from '@qdrant/js-client-rest';
import { SUITE_BEGINS, TESTS_BEGIN } from './own-project.js';

const clientOf = (url: string): QdrantClient => new QdrantClient({ url, checkCompatibility: false });

/** Allows tests on a server with other collections only if the user has permitted it. */
export async function refuseGuests(url: string): Promise<void> {
  if (process.env['QDRANT_SHARED'] === '1') return;
  const { collections } = await clientOf(url).getCollections();
  const others = collections.filter(({ name }) => !name.startsWith(TESTS_BEGIN));
  if (others.length === 0) return;
  throw new Error(
    `QDRANT_URL names a server with ${others.length} collections that no test has made. ` +
      'Set QDRANT_SHARED=1 to run the tests there; they remove only what they have made.',
  );
}

/** Removes the aliases and collections of this suite. */
export async function removeOwn(url: string): Promise<void> {
  const client = clientOf(url);
  const { aliases } = await client.getAliases();
  const actions = aliases
    .filter(({ alias_name }) => alias_name.startsWith(SUITE_BEGINS))
    .map(({ alias_name }) => ({ delete_alias: { alias_name } }));
  if (actions.length > 0) await client.updateCollectionAliases({ actions });
  const { collections } = await client.getCollections();
  for (const { name } of collections) if (name.startsWith(SUITE_BEGINS)) await client.deleteCollection(name);
}
