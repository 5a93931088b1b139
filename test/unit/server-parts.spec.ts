import type { McpTransport } from '@rekog/mcp-nest';
import { parseConfig } from '../../src/config/config.js';
import { SqliteMemoryStore } from '../../src/engines/sqlite/memory/sqlite-memory-store.js';
import { BUILT_IN_PROVIDER } from '../../src/core/ports/memory-store.port.js';
import { serverParts } from '../../src/server-parts.js';

const TRANSPORT: McpTransport = { kind: 'stdio', start: () => undefined, close: async () => undefined };
// Lists of documents would ask the index at once.
const NOTHING_OPENED = { PITH_INDEX: '/nowhere/index.sqlite', MCP_DOCS_TOOLS_ENABLED: 'false' };
const memoryOf = (environment: Record<string, string>) =>
  serverParts(parseConfig({ ...NOTHING_OPENED, ...environment }), TRANSPORT).memory;

describe('serverParts', () => {
  it('makes no memory while inner_voice is off', () => {
    expect(memoryOf({})).toBeNull();
    expect(memoryOf({ SURR_ENABLE_INNER_VOICE: '0' })).toBeNull();
  });

  it.each([
    [{}, BUILT_IN_PROVIDER],
    [{ SURR_EMBED_PROVIDER: '' }, BUILT_IN_PROVIDER],
    [{ SURR_EMBED_PROVIDER: 'openai' }, 'openai'],
  ])(
    'makes one for the embedder that is configured, without opening anything: %j',
    (environment, provider) => {
      const memory = memoryOf({ SURR_ENABLE_INNER_VOICE: '1', ...environment });
      expect(memory).toBeInstanceOf(SqliteMemoryStore);
      expect(memory).toMatchObject({ provider });
    },
  );
});
