import type { Scope } from '../../../../src/core/scope.js';
import { CYPHER_FAMILIES, CYPHER_WAYS } from '../../../../src/engines/neo4j/cypher-ways.js';
import { type Sent, sentWithin } from '../../../support/sent-to-neo4j.js';

const textsOf = (sent: readonly Sent[]): string[] => [...new Set(sent.map(({ cypher }) => cypher))].sort();

const SCOPES: readonly Partial<Scope>[] = [
  {},
  { docTags: ['guide'] },
  { docTags: [] },
  { repositories: ['docs', 'site'] },
  { docTags: ['api', 'guide'], repositories: ['docs'] },
];

describe('the statements sent to Neo4j', () => {
  it.each(SCOPES)('receive a value for every parameter that they use: %j', async (parts) => {
    const sent = await sentWithin(parts);
    expect(sent.length).toBeGreaterThan(10);
    for (const { cypher, values } of sent) {
      const used = [...cypher.matchAll(/\$given\.(\w+)/g)].map(([, name]) => name ?? '');
      expect(used.filter((name) => values[name] === undefined || values[name] === null)).toEqual([]);
    }
  });

  it('take all values in one map, because Neo4j plans again for each size and type of a plain parameter', async () => {
    const sent = await Promise.all(SCOPES.map((parts) => sentWithin(parts)));
    const named = textsOf(sent.flat()).flatMap((text) => text.match(/\$\w+/g) ?? []);
    expect(new Set(named)).toEqual(new Set(['$given']));
  });

  it('have the same text for all limited scopes and all requests', async () => {
    const expected = textsOf(await sentWithin({ docTags: ['guide'] }));
    for (const parts of SCOPES.slice(2)) expect(textsOf(await sentWithin(parts))).toEqual(expected);
    const some = textsOf(await sentWithin({ docTags: ['guide'] }, ['HAS_CHUNK', 'MENTIONS']));
    expect(some.length).toBeGreaterThan(3);
    expect(some.filter((text) => !expected.includes(text))).toEqual([]);
  });

  it('are grouped into families, with each way in exactly one family', () => {
    expect(CYPHER_FAMILIES.flat()).toHaveLength(CYPHER_WAYS.length);
    expect(new Set(CYPHER_FAMILIES.flat())).toEqual(new Set(CYPHER_WAYS));
  });
});
