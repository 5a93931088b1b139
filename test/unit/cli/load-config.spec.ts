import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig, loadServedConfig } from '../../../src/cli/load-config.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

const REPORTS = join('reports', 'retrieval_diagnostics');

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());

describe('loadConfig', () => {
  it('puts diagnostics next to the configured index', () => {
    const { diagnostics } = loadConfig({ PITH_INDEX: folder.file('my.sqlite') });
    expect(diagnostics.dir).toBe(join(folder.path, REPORTS));
  });

  it.each([
    ['next to the configured index', '', 'my.ledger.sqlite'],
    ['from the folder of the index if its path is relative', 'audit/calls.db', join('audit', 'calls.db')],
  ])('puts the ledger %s', (_, set, expected) => {
    const { ledger } = loadConfig({ PITH_INDEX: folder.file('my.sqlite'), PITH_LEDGER_FILE: set });
    expect(ledger.file).toBe(join(folder.path, expected));
  });

  it('puts the store of approvals next to the configured index', () => {
    const { governance } = loadConfig({ PITH_INDEX: folder.file('my.sqlite') });
    expect(governance.storeFile).toBe(folder.file('my.governance.sqlite'));
  });
});

describe('loadServedConfig', () => {
  it('puts diagnostics next to the index of the served folder', () => {
    const { config } = loadServedConfig({}, folder.path);
    expect(dirname(config.index.file)).not.toBe(resolve('.pith'));
    expect(config.diagnostics.dir).toBe(join(dirname(config.index.file), REPORTS));
  });

  it('keeps an absolute folder for diagnostics', () => {
    const named = folder.file('diagnostics');
    const { config } = loadServedConfig({ RETRIEVAL_DIAGNOSTICS_DIR: named }, folder.path);
    expect(config.diagnostics.dir).toBe(named);
  });

  it('serves no folder if none is given', () => {
    const { config, folder: served } = loadServedConfig({}, undefined);
    expect(served).toBeNull();
    expect(config).toEqual(loadConfig({}));
  });

  it('serves a bare repository of this machine, also a branch and a folder of it', () => {
    for (const name of ['HEAD', 'objects', 'refs'])
      mkdirSync(folder.file(`docs.git/${name}`), { recursive: true });
    const address = pathToFileURL(realpathSync(folder.file('docs.git'))).href;
    expect(loadServedConfig({}, folder.file('docs.git')).folder).toBe(address);
    expect(loadServedConfig({}, folder.file('docs.git#main:guide')).folder).toBe(`${address}#main:guide`);
  });

  it('serves a branch and a folder of a work tree, and else its files as they are', () => {
    mkdirSync(folder.file('handbook/.git'), { recursive: true });
    const path = realpathSync(folder.file('handbook'));
    const address = `${pathToFileURL(path).href}#main:docs`;
    expect(loadServedConfig({}, folder.file('handbook#main:docs')).folder).toBe(address);
    expect(loadServedConfig({}, folder.file('handbook')).folder).toBe(path);
  });

  it.each(['missing', 'gone.zip', 'gone.pdf'])('rejects %s, which may be a folder or a file', (name) => {
    expect(() => loadServedConfig({}, folder.file(name))).toThrow(
      expect.objectContaining({
        reason: 'folder_missing',
        message: `${folder.file(name)} does not exist.`,
        hint: expect.stringContaining('a folder, a file or an address') as string,
      }),
    );
  });
});
