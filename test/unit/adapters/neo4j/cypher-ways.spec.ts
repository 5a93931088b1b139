import {
  CYPHER_FAMILIES,
  CYPHER_WAYS,
  neighboursCypher,
} from '../../../../src/adapters/neo4j/cypher-ways.js';
import { VisibleNodes } from '../../../../src/adapters/neo4j/visible-nodes.js';
import { EVERYTHING } from '../../../support/indexed-documents.js';

/** Every statement that a scope makes. */
const statements = (docTags: string[] | null, repositories: string[] | null): string[] => {
  const visible = new VisibleNodes({ ...EVERYTHING, docTags, repositories }, 'index');
  return CYPHER_FAMILIES.map((family) => neighboursCypher(family, visible));
};

describe('the statements that walk in Neo4j', () => {
  it('are few, since the server plans each of them', () => {
    expect(new Set(CYPHER_FAMILIES.flat())).toEqual(new Set(CYPHER_WAYS));
    expect(statements(null, null)).toHaveLength(7);
  });

  it('are the same for all that see a part', () => {
    const expected = statements(['guide'], null);
    expect(statements(['api', 'guide'], null)).toEqual(expected);
    expect(statements(null, ['docs'])).toEqual(expected);
    expect(statements([], ['docs', 'site'])).toEqual(expected);
  });

  it('have one parameter, in which no size and no type of a value is looked at', () => {
    const named = [...statements(null, null), ...statements(['guide'], [])].flatMap(
      (statement) => statement.match(/\$\w+/g) ?? [],
    );
    expect(new Set(named)).toEqual(new Set(['$given']));
  });
});
