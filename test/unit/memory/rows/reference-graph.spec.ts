import {
  EntityRelations,
  entityRows,
  type GraphEntity,
  type GraphRelation,
  parseGraphLine,
} from '../../../../src/memory/rows/reference-graph.js';

const anEntity = (parts: Partial<GraphEntity> = {}): GraphEntity => ({
  type: 'entity',
  name: 'Ada',
  entityType: 'person',
  observations: [],
  ...parts,
});
const aRelation = (from: string, relationType: string, to: string): GraphRelation => ({
  type: 'relation',
  from,
  to,
  relationType,
});
function textsOf(entity: GraphEntity, ...relations: readonly GraphRelation[]): string[] {
  const known = new EntityRelations();
  for (const relation of relations) known.add(relation);
  return entityRows('memory.json', entity, known).rows.map(({ text }) => text);
}

describe('parseGraphLine', () => {
  it('reads entities and relations as the reference server writes them', () => {
    const entity = { type: 'entity', name: 'Ada', entityType: 'person', observations: ['a'] };
    const relation = { type: 'relation', from: 'Ada', to: 'Bo', relationType: 'knows' };
    expect(parseGraphLine(JSON.stringify(entity))).toEqual({ value: entity });
    expect(parseGraphLine(JSON.stringify(relation))).toEqual({ value: relation });
  });

  it('ignores fields that other versions add', () => {
    const line = '{"type":"relation","from":"a","to":"b","relationType":"c","strength":1}';
    expect(parseGraphLine(line)).toHaveProperty('value');
  });

  it.each<[string, string, RegExp]>([
    ['text that is not JSON', '{', /not JSON/],
    ['another type', '{"type":"note"}', /neither entity nor relation/],
    ['rows of the jsonl format', '{"table":"thoughts","text":"x"}', /neither entity nor relation/],
    ['an entity without observations', '{"type":"entity","name":"a","entityType":"b"}', /observations/],
    ['an empty name', '{"type":"entity","name":"","entityType":"b","observations":[]}', /name/],
    ['a relation to nothing', '{"type":"relation","from":"a","relationType":"b"}', /to/],
  ])('refuses %s', (_, line, problem) => {
    expect(parseGraphLine(line)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

describe('entityRows', () => {
  it('converts an entity to one row, and each observation to another with the name of its entity', () => {
    const { rows, problems } = entityRows(
      'memory.json',
      anEntity({ observations: ['Likes tea.', 'Plays go.'] }),
      new EntityRelations(),
    );
    expect(rows.map(({ table, text }) => [table, text])).toEqual([
      ['kg_entities', 'Ada (person).'],
      ['kg_observations', 'Ada: Likes tea.'],
      ['kg_observations', 'Ada: Plays go.'],
    ]);
    expect(rows.map(({ id }) => id.slice(0, 2))).toEqual(['e:', 'o:', 'o:']);
    expect(problems).toEqual([]);
  });

  it('adds relations as sentences, to both ends', () => {
    const relations = [aRelation('Ada', 'works_at', 'Acme'), aRelation('Bo', 'knows', 'Ada')];
    expect(textsOf(anEntity(), ...relations)).toEqual(['Ada (person).\nAda works at Acme. Bo knows Ada.']);
    expect(textsOf(anEntity({ name: 'Acme', entityType: 'company' }), ...relations)).toEqual([
      'Acme (company).\nAda works at Acme.',
    ]);
  });

  it.each([
    ['worksAt', 'works at'],
    ['WORKS_AT', 'works at'],
    ['depends-on', 'depends on'],
    ['is a friend of', 'is a friend of'],
  ])('spells %s as words', (type, words) => {
    expect(textsOf(anEntity(), aRelation('Ada', type, 'X'))[0]).toContain(`Ada ${words} X.`);
  });

  it('accepts an empty entity type, as the reference server does', () => {
    const line = '{"type":"entity","name":"Ada","entityType":"","observations":[]}';
    expect(parseGraphLine(line)).toHaveProperty('value');
    expect(parseGraphLine('{"type":"relation","from":"a","to":"b","relationType":""}')).toHaveProperty(
      'value',
    );
    expect(textsOf(anEntity({ entityType: '' }), aRelation('Ada', '', 'Bo'))).toEqual(['Ada.\nAda Bo.']);
  });

  it('adds a relation of an entity with itself once', () => {
    expect(textsOf(anEntity(), aRelation('Ada', 'trusts', 'Ada'))).toEqual([
      'Ada (person).\nAda trusts Ada.',
    ]);
  });

  it('adds relations only up to the limit', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => aRelation('Ada', 'knows', `person ${i}`));
    const [text] = textsOf(anEntity(), ...many);
    expect(text?.length).toBeLessThan(8_100);
    expect(text).toContain('person 99.');
  });

  it('gives an entity the same id after a change, and another id for another file', () => {
    const idOf = (source: string, entity: GraphEntity): string | undefined =>
      entityRows(source, entity, new EntityRelations()).rows[0]?.id;
    expect(idOf('a', anEntity({ entityType: 'robot' }))).toBe(idOf('a', anEntity()));
    expect(idOf('b', anEntity())).not.toBe(idOf('a', anEntity()));
  });

  it('ignores blank observations', () => {
    const { rows, problems } = entityRows(
      'a',
      anEntity({ observations: ['', ' \n'] }),
      new EntityRelations(),
    );
    expect([rows.length, problems]).toEqual([1, []]);
  });

  it('skips invalid observations, reports their positions, and keeps the others', () => {
    const observations = ['Likes tea.', 7, 'a\0b', 'x'.repeat(65_536), 'Plays go.'];
    const { rows, problems } = entityRows('a', anEntity({ observations }), new EntityRelations());
    expect(rows.map(({ text }) => text)).toEqual(['Ada (person).', 'Ada: Likes tea.', 'Ada: Plays go.']);
    expect(problems.map((problem) => problem.slice(0, 15))).toEqual([
      'observations.1:',
      'observations.2:',
      'observations.3:',
    ]);
    expect(problems.join()).not.toContain('xxx');
  });
});
