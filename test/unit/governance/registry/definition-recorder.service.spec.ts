import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { NO_GOVERNANCE } from '../../../../src/governance/agents/governance-file.js';
import {
  DefinitionRecorder,
  definitionRow,
} from '../../../../src/governance/registry/definition-recorder.service.js';
import { registerTool } from '../../../../src/governance/registry/registered-tool.js';
import { ToolRegistry } from '../../../../src/governance/registry/tool-registry.js';
import { toolDefinitions } from '../../../support/all-tools.js';
import { definitionsIn } from '../../../support/governance-stores.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
let count = 0;
let file: string;
let warnings: string[];

beforeEach(() => {
  file = folder.file(`${++count}.sqlite`);
  warnings = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => void warnings.push(String(text)));
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => folder.remove());

const [first] = toolDefinitions();
if (!first) throw new Error('there are no tools');
const tool = registerTool({ ...first, name: 'kb.one', version: '1' }, NO_GOVERNANCE);
const changed = registerTool(
  { ...first, name: 'kb.one', version: '1', input: z.object({ other: z.string() }) },
  NO_GOVERNANCE,
);

const open = () => definitionsIn({ file, creates: true });

async function history(name: string) {
  const store = open();
  const rows = await store.history(name);
  await store.close();
  return rows;
}

/** A server that starts with these tools, and ends. */
async function serve(registry: ToolRegistry, during: () => void = () => undefined): Promise<void> {
  const recorder = new DefinitionRecorder(registry, open());
  recorder.onApplicationBootstrap();
  during();
  await recorder.onApplicationShutdown();
}

describe('DefinitionRecorder', () => {
  it('stores the definition of each tool with its schemas', async () => {
    await serve(new ToolRegistry([tool]));
    const [row] = await history('kb.one');
    expect(row).toMatchObject({ ...definitionRow(tool), name: 'kb.one', version: '1', provider: 'pith' });
    expect(JSON.parse(row?.facts ?? '')).toMatchObject({
      safety: 'read',
      permission: 'read',
      capabilities: [],
      approval: null,
      annotations: { readOnlyHint: true },
      input_schema: { type: 'object' },
    });
    expect(warnings).toEqual([]);
  });

  it('stores tools of providers when they are offered', async () => {
    const registry = new ToolRegistry([tool]);
    const provided = registerTool({ ...first, name: 'files.read', version: 'abc' }, NO_GOVERNANCE);
    await serve(registry, () => registry.provide('files', [{ ...provided, provider: 'files' }]));
    expect(await history('files.read')).toMatchObject([{ version: 'abc', provider: 'files' }]);
  });

  it('warns once about a schema that has changed without a new version', async () => {
    await serve(new ToolRegistry([tool]));
    await serve(new ToolRegistry([changed]));
    expect(warnings).toEqual([expect.stringContaining('kb.one version 1 has another schema than before')]);
    expect(await history('kb.one')).toHaveLength(2);
    await serve(new ToolRegistry([changed]));
    expect(warnings).toHaveLength(1);
  });

  it('makes no schemas without a store', async () => {
    const registry = new ToolRegistry([
      {
        ...tool,
        get inputSchema(): never {
          throw new Error('not needed');
        },
      },
    ]);
    const recorder = new DefinitionRecorder(registry, null);
    recorder.onApplicationBootstrap();
    await recorder.onApplicationShutdown();
    expect(warnings).toEqual([]);
  });

  it('warns if the store can not be written; the server goes on', async () => {
    const recorder = new DefinitionRecorder(
      new ToolRegistry([tool]),
      definitionsIn({ file: `${folder.file('absent')}/x.sqlite`, creates: false }),
    );
    recorder.onApplicationBootstrap();
    await recorder.onApplicationShutdown();
    expect(warnings).toEqual([expect.stringContaining('definitions of tools could not be stored')]);
  });
});
