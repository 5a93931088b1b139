import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseConfig } from '../../../src/config/config.js';
import { ensureSecretFile, secretFileOf, serverSecret } from '../../../src/config/server-secret.js';
import { testFolder } from '../../support/test-folder.js';
import type { TestFolder } from '../../support/test-folder.js';
import { SECRET } from '../../support/builders.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());
const configured = (more = {}) => parseConfig({ PITH_INDEX: folder.file('index.sqlite'), ...more });

describe('ensureSecretFile', () => {
  it('makes a secret beside the index that its owner alone can read', () => {
    ensureSecretFile(folder.file('index.sqlite'));
    expect(secretFileOf(folder.file('index.sqlite'))).toBe(folder.file('index.sqlite.secret'));
    expect(statSync(folder.file('index.sqlite.secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(folder.file('index.sqlite.secret'), 'utf8').trim().length).toBeGreaterThanOrEqual(32);
  });

  it('keeps the one that is there', () => {
    ensureSecretFile(folder.file('index.sqlite'));
    const before = readFileSync(folder.file('index.sqlite.secret'), 'utf8');
    ensureSecretFile(folder.file('index.sqlite'));
    expect(readFileSync(folder.file('index.sqlite.secret'), 'utf8')).toBe(before);
  });

  it('replaces one that is too short to be one', () => {
    writeFileSync(folder.file('index.sqlite.secret'), 'short', { mode: 0o644 });
    ensureSecretFile(folder.file('index.sqlite'));
    expect(serverSecret(configured()).secret.length).toBeGreaterThanOrEqual(32);
    expect(statSync(folder.file('index.sqlite.secret')).mode & 0o777).toBe(0o600);
  });
});

describe('serverSecret', () => {
  it('takes PITH_SECRET before the file', () => {
    ensureSecretFile(folder.file('index.sqlite'));
    expect(serverSecret(configured({ PITH_SECRET: SECRET }))).toEqual({ secret: SECRET, isLasting: true });
  });

  it('gives the same secret of a file each time', () => {
    ensureSecretFile(folder.file('index.sqlite'));
    expect(serverSecret(configured())).toEqual(serverSecret(configured()));
    expect(serverSecret(configured()).isLasting).toBe(true);
  });

  it('makes one for this process alone where there is neither', () => {
    expect(serverSecret(configured()).isLasting).toBe(false);
    expect(serverSecret(configured()).secret).not.toBe(serverSecret(configured()).secret);
  });
});
