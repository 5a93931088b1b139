import { Test } from '@nestjs/testing';
import type { McpTransport } from '@rekog/mcp-nest';
import { AppModule } from '../../src/app.module.js';
import { parseConfig } from '../../src/config/config.js';
import { ScratchStore } from '../../src/core/ports/scratch-store.port.js';
import { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { DiagnosticWriter } from '../../src/diagnostics/archive/diagnostic-writer.js';
import { EnginesModule } from '../../src/engines/engines.module.js';
import { loadFeatures } from '../../src/features.js';
import { CorpusLists } from '../../src/mcp/corpus-lists.js';
import { PithStrategy } from '../../src/mcp/transport/pith-strategy.js';
import { TelemetryModule } from '../../src/telemetry/telemetry.module.js';

const transport: McpTransport = { kind: 'stdio', start: () => undefined, close: async () => undefined };

async function server(environment: Record<string, string> = {}) {
  const settings = { PITH_INDEX: '/nowhere/index.sqlite', MCP_DOCS_TOOLS_ENABLED: 'false', ...environment };
  const config = parseConfig(settings);
  const { open: engines } = EnginesModule.start(config, null);
  const root = AppModule.register(config, {
    transport,
    engines,
    over: 'stdio',
    features: await loadFeatures(config, 'stdio'),
    observers: TelemetryModule.register(),
    flushMs: 100,
  });
  return Test.createTestingModule({ imports: [root] }).compile();
}

describe('AppModule', () => {
  it('makes the strategy that serves the transport', async () => {
    const nest = await server();
    expect(nest.get(PithStrategy).unwrap()).toMatchObject({ transports: [transport] });
    expect(nest.get(CorpusLists)).toBeNull();
  });

  it('refuses settings that contradict each other', async () => {
    await expect(server({ PITH_SECTION_ENGINE: 'qdrant' })).rejects.toThrow('need PITH_PROJECT');
    await expect(server({ PITH_HOST_PROFILE: 'nobody' })).rejects.toThrow('PITH_HOST_PROFILE');
  });

  it('writes diagnostics at the end, then closes scratch, then the index', async () => {
    const nest = await server();
    const ended: string[] = [];
    const note = (name: string) => async () => void ended.push(name);
    jest
      .spyOn(nest.get(DiagnosticWriter, { strict: false }), 'flush')
      .mockImplementation(note('diagnostics'));
    jest.spyOn(nest.get(ScratchStore), 'close').mockImplementation(note('scratch'));
    jest.spyOn(nest.get(SectionIndex), 'close').mockImplementation(note('index'));
    await nest.close();
    expect(ended).toEqual(['diagnostics', 'scratch', 'index']);
  });
});
