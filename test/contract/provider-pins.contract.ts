import type {
  ListedSnapshot,
  ProviderPin,
  ProviderPins,
} from '../../src/governance/providers/provider-pins.js';

/** An empty store of pins. */
export interface ProviderPinsSubject {
  /** Opens the store, as one process does. */
  readonly open: () => ProviderPins;
  readonly remove: () => Promise<void>;
}

const listedAs = (tool: string, definition = tool, problem: string | null = null): ListedSnapshot => ({
  tool,
  definition,
  hash: `hash of ${definition}`,
  problem,
});

const acceptance = (tool: string, definition = tool, provider = 'files') => ({
  provider,
  tools: [{ tool, hash: `hash of ${definition}` }],
  by: 'ann',
  at: 1_000,
});

/** `tool listed accepted` for every pin. */
const inShort = (pins: readonly ProviderPin[]): string[] =>
  pins.map(({ provider, tool, listed, accepted }) =>
    [provider, tool, listed?.definition ?? '-', accepted?.definition ?? '-'].join(' '),
  );

/** The behaviour of every store of pins. */
export function providerPinsContract(name: string, make: () => Promise<ProviderPinsSubject>): void {
  describe(name, () => {
    let subject: ProviderPinsSubject;
    let pins: ProviderPins;
    const opened: ProviderPins[] = [];
    const open = (): ProviderPins => {
      const one = subject.open();
      opened.push(one);
      return one;
    };
    beforeEach(async () => {
      subject = await make();
      pins = open();
    });
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
      await subject.remove();
    });

    it('is empty at first', async () => {
      expect(await pins.pins()).toEqual([]);
      expect(await pins.revision()).toBe(0);
    });

    it('returns what is listed, by provider and tool, with the reason if it cannot be accepted', async () => {
      await pins.note('web', [listedAs('fetch', 'f', 'its name is that of a tool of Pith')]);
      await pins.note('files', [listedAs('write'), listedAs('read')]);
      expect(await pins.pins('web')).toEqual([
        {
          provider: 'web',
          tool: 'fetch',
          listed: { definition: 'f', hash: 'hash of f', problem: 'its name is that of a tool of Pith' },
          accepted: null,
        },
      ]);
      expect(inShort(await pins.pins())).toEqual([
        'files read read -',
        'files write write -',
        'web fetch f -',
      ]);
    });

    it('accepts what is listed, and records by whom and when', async () => {
      await pins.note('files', [listedAs('read')]);
      expect(await pins.accept(acceptance('read'))).toBe(true);
      const [pin] = await pins.pins();
      expect(pin?.accepted).toEqual({ definition: 'read', hash: 'hash of read', at: 1_000, by: 'ann' });
    });

    it('keeps what was accepted while another definition is listed, or none', async () => {
      await pins.note('files', [listedAs('read')]);
      await pins.accept(acceptance('read'));
      await pins.note('files', [listedAs('read', 'other')]);
      expect(inShort(await pins.pins())).toEqual(['files read other read']);
      await pins.note('files', []);
      expect(inShort(await pins.pins())).toEqual(['files read - read']);
    });

    it('forgets tools that were never accepted and are no longer listed', async () => {
      await pins.note('files', [listedAs('read'), listedAs('write')]);
      await pins.note('files', [listedAs('write')]);
      expect(inShort(await pins.pins())).toEqual(['files write write -']);
    });

    it.each([
      ['another definition than the one that is listed', acceptance('read', 'seen before')],
      ['a tool that is not listed', acceptance('move')],
      ['a tool of another provider', acceptance('read', 'read', 'web')],
      ['a tool with a problem', acceptance('bad')],
    ])('does not accept %s', async (_, given) => {
      await pins.note('files', [listedAs('read'), listedAs('bad', 'bad', 'unusable')]);
      expect(await pins.accept(given)).toBe(false);
      expect(inShort(await pins.pins())).toEqual(['files bad bad -', 'files read read -']);
    });

    it('accepts all or none', async () => {
      await pins.note('files', [listedAs('read'), listedAs('write')]);
      const tools = [...acceptance('read').tools, ...acceptance('write', 'other').tools];
      expect(await pins.accept({ ...acceptance('read'), tools })).toBe(false);
      expect(inShort(await pins.pins())).toEqual(['files read read -', 'files write write -']);
    });

    it('shares everything between processes, and counts acceptances', async () => {
      const other = open();
      await pins.note('files', [listedAs('read'), listedAs('write')]);
      await other.accept(acceptance('read'));
      expect(await pins.revision()).toBe(1);
      await pins.accept(acceptance('write'));
      expect(await other.revision()).toBe(2);
      expect(inShort(await other.pins())).toEqual(['files read read read', 'files write write write']);
    });

    it('does not change if several processes store the same list at once', async () => {
      const list = [listedAs('read'), listedAs('write')];
      await pins.note('files', list);
      await pins.accept(acceptance('read'));
      const others = [open(), open(), open()];
      await Promise.all(others.map((each) => each.note('files', list)));
      expect(inShort(await pins.pins())).toEqual(['files read read read', 'files write write -']);
    });

    it('fails when it is used after it was closed', async () => {
      await pins.close();
      const closed = { code: 'BACKEND_UNAVAILABLE' };
      await expect(pins.revision()).rejects.toMatchObject(closed);
      await expect(pins.note('files', [])).rejects.toMatchObject(closed);
    });
  });
}
