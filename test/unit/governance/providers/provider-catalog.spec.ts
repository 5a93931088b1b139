import { writeFileSync } from 'node:fs';
import { schemaCompiler } from '../../../../src/governance/providers/json-schema-check.js';
import { ProviderCatalog } from '../../../../src/governance/providers/provider-catalog.js';
import { ProviderPins } from '../../../../src/governance/providers/provider-pins.js';
import { type ListedTool, snapshotOf } from '../../../../src/governance/providers/tool-snapshot.js';
import { pinsIn } from '../../../support/governance-stores.js';
import { aListedTool } from '../../../support/provider-tools.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const READ = aListedTool({ name: 'read' });
const WRITE = aListedTool({ name: 'write' });

describe('ProviderCatalog', () => {
  let folder: TestFolder;
  let pins: ProviderPins;
  let catalog: ProviderCatalog;
  const names = (): string[] => catalog.tools().map(({ name }) => name);
  /** Accepts tools in another process. */
  const accept = async (...tools: readonly ListedTool[]): Promise<boolean> => {
    const other = pinsIn({ file: folder.file('g.sqlite'), creates: false });
    const shown = tools.map((tool) => ({ tool: tool.name, hash: snapshotOf(tool).hash }));
    const isAccepted = await other.accept({ provider: 'files', tools: shown, by: 'ann', at: 0 });
    await other.close();
    return isAccepted;
  };
  beforeEach(async () => {
    folder = testFolder();
    pins = pinsIn({ file: folder.file('g.sqlite'), creates: true });
    catalog = new ProviderCatalog({ pins, taken: ['kb.search'], compile: await schemaCompiler() });
  });
  afterEach(async () => {
    await pins.close();
    folder.remove();
  });

  it('offers nothing of a new provider', async () => {
    expect(await catalog.note('files', [READ, WRITE])).toEqual([]);
    expect(names()).toEqual([]);
  });

  it('offers what another process accepts, after a refresh', async () => {
    await catalog.note('files', [READ, WRITE]);
    expect(await catalog.refresh()).toBe(false);
    expect(await accept(READ)).toBe(true);
    expect(await catalog.refresh()).toBe(true);
    expect(names()).toEqual(['files.read']);
    expect(await catalog.refresh()).toBe(false);
  });

  it('withdraws a changed tool, keeps the others, and offers it again when the change is accepted', async () => {
    await catalog.note('files', [READ, WRITE]);
    await accept(READ, WRITE);
    const changed = { ...READ, description: 'Reads a file, and mails it.' };
    await catalog.note('files', [changed, WRITE]);
    expect(names()).toEqual(['files.write']);
    await accept(changed);
    await catalog.refresh();
    expect(catalog.tools().map(({ description }) => description)).toEqual([
      'Reads a file, and mails it.',
      'Reads a file.',
    ]);
  });

  it('offers nothing of a provider while the pins cannot be read', async () => {
    await catalog.note('files', [READ]);
    await accept(READ);
    await catalog.note('files', [READ]);
    await pins.close();
    folder.remove();
    writeFileSync(folder.path, '');
    await expect(catalog.note('files', [READ])).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    expect(names()).toEqual([]);
  });
});
