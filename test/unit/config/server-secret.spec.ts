import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseConfig } from '../../../src/config/config.js';
import { ensureSecretFile, secretFileOf, serverSecret } from '../../../src/config/server-secret.js';
import { SECRET } from '../../support/builders.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());
const configured = (more = {}) => parseConfig({ PITH_INDEX: folder.file('index.sqlite'), ...more });

describe('ensureSecretFile', () => {
  it('creates a secret next to the index, readable by its owner only', () => {
    ensureSecretFile(folder.file('index.sqlite'));
    expect(secretFileOf(folder.file('index.sqlite'))).toBe(folder.file('index.sqlite.secret'));
    expect(statSync(folder.file('index.sqlite.secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(folder.file('index.sqlite.secret'), 'utf8').trim().length).toBeGreaterThanOrEqual(32);
  });

  it('keeps an existing secret', () => {
    ensureSecretFile(folder.file('index.sqlite'));
    const before = readFileSync(folder.file('index.sqlite.secret'), 'utf8');
    ensureSecretFile(folder.file('index.sqlite'));
    expect(readFileSync(folder.file('index.sqlite.secret'), 'utf8')).toBe(before);
  });

  it('replaces a secret that is too short', () => {
    writeFileSync(folder.file('index.sqlite.secret'), 'short', { mode: 0o644 });
    ensureSecretFile(folder.file('index.sqlite'));
    expect(serverSecret(configured()).secret.length).toBeGreaterThanOrEqual(32);
    expect(statSync(folder.file('index.sqlite.secret')).mode & 0o777).toBe(0o600);
  });
});

describe('serverSecret', () => {
  it('prefers PITH_SECRET to the file', () => {
    ensureSecretFile(folder.file('index.sqlite'));
    expect(serverSecret(configured({ PITH_SECRET: SECRET }))).toEqual({ secret: SECRET, isLasting: true });
  });

  it('returns the same secret from a file each time', () => {
    ensureSecretFile(folder.file('index.sqlite'));
    expect(serverSecret(configured())).toEqual(serverSecret(configured()));
    expect(serverSecret(configured()).isLasting).toBe(true);
  });

  it('creates a secret for this process only if there is no other', () => {
    expect(serverSecret(configured()).isLasting).toBe(false);
    expect(serverSecret(configured()).secret).not.toBe(serverSecret(configured()).secret);
  });
});
