import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Paths of all files in a folder and below it, from the root of the repository. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...filesIn('docs')];

describe('package.json, server.json and the documents', () => {
  it.each(['package.json', 'server.json', ...DOCUMENTS])('name no address of a registry: %s', (path) => {
    const registries =
      /\b(?:npmjs\.(?:com|org)|pypi\.org|docker\.(?:io|com)|ghcr\.io|registry\.[a-z]+\.\w+)\b/g;
    expect(read(path).match(registries)).toBeNull();
  });
});
