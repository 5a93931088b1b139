import type {
  DefinitionStore,
  RegisteredDefinition,
} from '../../src/governance/registry/definition-store.js';

/** An empty store of definitions. */
export interface DefinitionStoreSubject {
  /** Opens the store, as one process does. */
  readonly open: () => DefinitionStore;
  readonly remove: () => Promise<void>;
}

const aDefinition = (overrides: Partial<RegisteredDefinition> = {}): RegisteredDefinition => ({
  name: 'kb.search',
  version: '1',
  schemaHash: 'hash-a',
  provider: 'pith',
  facts: '{"safety":"read"}',
  ...overrides,
});

/** The behaviour of every store of definitions. */
export function definitionStoreContract(name: string, make: () => Promise<DefinitionStoreSubject>): void {
  describe(name, () => {
    let subject: DefinitionStoreSubject;
    let store: DefinitionStore;
    const opened: DefinitionStore[] = [];
    const open = (): DefinitionStore => {
      const one = subject.open();
      opened.push(one);
      return one;
    };
    beforeEach(async () => {
      subject = await make();
      store = open();
    });
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
      await subject.remove();
    });

    it('knows no tool at first', async () => {
      await store.note([], 1_000);
      expect(await store.history('kb.search')).toEqual([]);
    });

    it('keeps the first and the last time of a definition', async () => {
      await store.note([aDefinition()], 1_000);
      await store.note([aDefinition()], 3_000);
      await store.note([aDefinition()], 2_000);
      expect(await store.history('kb.search')).toEqual([
        { ...aDefinition(), firstSeen: 1_000, lastSeen: 3_000 },
      ]);
    });

    it('keeps the newest facts of a definition, such as its capabilities', async () => {
      await store.note([aDefinition()], 1_000);
      await store.note([aDefinition({ facts: '{"safety":"write"}' })], 2_000);
      expect(await store.history('kb.search')).toMatchObject([{ facts: '{"safety":"write"}' }]);
    });

    it('keeps each version, the last seen first', async () => {
      await store.note([aDefinition(), aDefinition({ name: 'kb.other' })], 1_000);
      await store.note([aDefinition({ version: '2', schemaHash: 'hash-b' })], 2_000);
      expect(await store.history('kb.search')).toMatchObject([
        { version: '2', schemaHash: 'hash-b', firstSeen: 2_000 },
        { version: '1', schemaHash: 'hash-a', firstSeen: 1_000 },
      ]);
    });

    it('returns nothing if a changed schema has a new version', async () => {
      await store.note([aDefinition()], 1_000);
      expect(await store.note([aDefinition({ version: '2', schemaHash: 'hash-b' })], 2_000)).toEqual([]);
      expect(await store.note([aDefinition()], 3_000)).toEqual([]);
    });

    it('returns what a changed schema without a new version replaces', async () => {
      await store.note([aDefinition(), aDefinition({ name: 'kb.other' })], 1_000);
      const changed = [aDefinition({ schemaHash: 'hash-b' }), aDefinition({ name: 'kb.other' })];
      expect(await store.note(changed, 2_000)).toMatchObject([{ name: 'kb.search', schemaHash: 'hash-a' }]);
      expect(await store.note(changed, 3_000)).toEqual([]);
      expect(await store.history('kb.search')).toHaveLength(2);
    });

    it('returns it again when a server with the older schema starts', async () => {
      await store.note([aDefinition()], 1_000);
      await store.note([aDefinition({ schemaHash: 'hash-b' })], 2_000);
      expect(await store.note([aDefinition()], 3_000)).toMatchObject([{ schemaHash: 'hash-b' }]);
    });

    it('keeps one row if several servers start at once', async () => {
      const others = [open(), open(), open()];
      await Promise.all(others.map((each, i) => each.note([aDefinition()], 1_000 + i)));
      expect(await store.history('kb.search')).toEqual([
        { ...aDefinition(), firstSeen: expect.any(Number), lastSeen: 1_002 },
      ]);
    });

    it('reads a name with any characters', async () => {
      expect(await store.history("'; DROP \0 ü")).toEqual([]);
    });

    it('fails when it is used after it was closed', async () => {
      await store.close();
      const closed = { code: 'BACKEND_UNAVAILABLE' };
      await expect(store.note([], 1_000)).rejects.toMatchObject(closed);
      await expect(store.history('kb.search')).rejects.toMatchObject(closed);
    });
  });
}
