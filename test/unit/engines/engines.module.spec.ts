import type { InjectionToken, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type Config, parseConfig } from '../../../src/config/config.js';
import { ConfigModule } from '../../../src/config/config.module.js';
import { GraphStore } from '../../../src/core/ports/graph-store.port.js';
import { BUILT_IN_PROVIDER, MemoryStore } from '../../../src/core/ports/memory-store.port.js';
import { ScratchStore } from '../../../src/core/ports/scratch-store.port.js';
import { SectionIndex } from '../../../src/core/ports/section-index.port.js';
import { EnginesModule } from '../../../src/engines/engines.module.js';
import { Engines } from '../../../src/engines/open-engines.js';
import { OpenedModels } from '../../../src/engines/open-models.js';
import { ApprovalStore } from '../../../src/governance/approvals/approval-store.js';
import { ProviderPins } from '../../../src/governance/providers/provider-pins.js';
import { SqliteMemoryStore } from '../../../src/sqlite/memory/sqlite-memory-store.js';
import { ALL_FEATURES } from '../../support/all-tools.js';

// Lists of documents would ask the index at once.
const NOTHING_OPENED = { PITH_INDEX: '/nowhere/index.sqlite', MCP_DOCS_TOOLS_ENABLED: 'false' };

/** The stores of features, which the module closes with the engines. */
const storesOf = (config: Config) => ALL_FEATURES.flatMap(({ stores }) => stores?.(config, 'http') ?? []);

function engines(environment: Record<string, string> = {}) {
  const config = parseConfig({ ...NOTHING_OPENED, ...environment });
  const imports = [ConfigModule.register(config), EnginesModule.start(config, null).open(storesOf(config))];
  return Test.createTestingModule({ imports }).compile();
}
const memoryOf = async (environment: Record<string, string>): Promise<MemoryStore | null> =>
  (await engines(environment)).get(MemoryStore);

describe('EnginesModule', () => {
  it('makes no memory while inner_voice is off', async () => {
    expect(await memoryOf({})).toBeNull();
    expect(await memoryOf({ SURR_ENABLE_INNER_VOICE: '0' })).toBeNull();
  });

  it.each([
    [{}, BUILT_IN_PROVIDER],
    [{ SURR_EMBED_PROVIDER: '' }, BUILT_IN_PROVIDER],
    [{ SURR_EMBED_PROVIDER: 'openai' }, 'openai'],
  ])(
    'makes memory for the configured embedder, without opening anything: %j',
    async (environment, provider) => {
      const memory = await memoryOf({ SURR_ENABLE_INNER_VOICE: '1', ...environment });
      expect(memory).toBeInstanceOf(SqliteMemoryStore);
      expect(memory).toMatchObject({ provider });
    },
  );

  it('makes no graph while it is switched off', async () => {
    const nest = await engines({ PITH_GRAPH_ENGINE: 'none' });
    expect(nest.get(GraphStore)).toBeNull();
    await nest.close();
  });

  it('reads the index file in the process of a command, without memory', async () => {
    const config = parseConfig({ ...NOTHING_OPENED, SURR_ENABLE_INNER_VOICE: '1' });
    const imports = [ConfigModule.register(config), EnginesModule.inProcess(config)([])];
    const nest = await Test.createTestingModule({ imports }).compile();
    await expect(nest.get(SectionIndex).stamp()).rejects.toMatchObject({ reason: 'index_missing' });
    expect(nest.get(MemoryStore)).toBeNull();
    await nest.close();
  });

  it('exports only the ports to other modules', async () => {
    class Ported {}
    class Peeking {}
    const config = parseConfig(NOTHING_OPENED);
    const compile = (provide: Type, token: InjectionToken) => {
      const providers = [{ provide, inject: [token], useFactory: () => null }];
      const imports = [ConfigModule.register(config), EnginesModule.inProcess(config)([])];
      return Test.createTestingModule({ imports, providers }).compile();
    };
    await (await compile(Ported, SectionIndex)).close();
    await expect(compile(Peeking, Engines)).rejects.toThrow("can't resolve dependencies");
    await expect(compile(Peeking, OpenedModels)).rejects.toThrow("can't resolve dependencies");
  });

  it('closes scratch before the index', async () => {
    const nest = await engines();
    const closed: string[] = [];
    jest.spyOn(nest.get(ScratchStore), 'close').mockImplementation(async () => void closed.push('scratch'));
    jest.spyOn(nest.get(SectionIndex), 'close').mockImplementation(async () => void closed.push('index'));
    await nest.close();
    expect(closed).toEqual(['scratch', 'index']);
  });

  it('closes the other engines if scratch fails to close', async () => {
    const nest = await engines({ SURR_ENABLE_INNER_VOICE: '1' });
    jest.spyOn(nest.get(ScratchStore), 'close').mockRejectedValue(new Error('no scratch'));
    const index = jest.spyOn(nest.get(SectionIndex), 'close');
    const graph = jest.spyOn(nest.get<GraphStore>(GraphStore), 'close');
    const memory = jest.spyOn(nest.get<MemoryStore>(MemoryStore), 'close');
    const approvals = jest.spyOn(nest.get(ApprovalStore), 'close');
    const pins = jest.spyOn(nest.get(ProviderPins), 'close');
    await expect(nest.close()).rejects.toThrow('no scratch');
    for (const close of [index, graph, memory, approvals, pins]) expect(close).toHaveBeenCalledTimes(1);
  });
});
