import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Paths of all files in a folder and below it, from the root of the repository. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

const ROOT_PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const DOCUMENTS = [...ROOT_PAGES, ...filesIn('docs')];
const PAGES = DOCUMENTS.filter((path) => path.endsWith('.md'));

describe('package.json, server.json and the documents', () => {
  it.each(['package.json', 'server.json', ...DOCUMENTS])('name no address of a registry: %s', (path) => {
    const registries =
      /\b(?:npmjs\.(?:com|org)|pypi\.org|docker\.(?:io|com)|ghcr\.io|registry\.[a-z]+\.\w+)\b/g;
    expect(read(path).match(registries)).toBeNull();
  });
});

/** Folders whose paths a document may name. `docs/` is not among them: in examples, it is a folder of the reader. */
const FOLDERS = ['.ci', 'bench', 'bin', 'config', 'fixtures', 'scripts', 'src', 'test'];
const FILES = [...FOLDERS.flatMap(filesIn), ...DOCUMENTS];

/** Pages about the code, which name paths below `src/` without `src/`. */
const CODE_PAGES = ['CONTRIBUTING.md', 'docs/ARCHITECTURE.md'];
const SOURCE_FOLDERS = readdirSync(join(ROOT, 'src')).filter((name) => !name.includes('.'));

/** The code of a page, in lines and blocks, divided at white space, quotes and commas. */
const codeWords = (page: string): string[] =>
  [...page.matchAll(/^```.*\n([\s\S]*?)^```|`([^`\n]+)`/gm)]
    .flatMap(([, block, span]) => (block ?? span ?? '').split(/[\s'",]+/))
    .map((word) => word.replace(/^\.\//, '').replace(/[/.:;]+$/, ''));

const startsWithFolder = (word: string, folders: readonly string[]): boolean =>
  folders.some((folder) => word.startsWith(`${folder}/`));

/** Paths that a page names, such as `src/kb`, and names of source files, such as `kb.service.ts` or `*.tool.ts`. */
function namedPaths(page: string): string[] {
  const folders = CODE_PAGES.includes(page) ? [...FOLDERS, ...SOURCE_FOLDERS] : FOLDERS;
  return codeWords(read(page)).filter(
    (word) =>
      /^[\w.*-]+(?:\/[\w.*-]+)*$/.test(word) &&
      (startsWithFolder(word, folders) || /^[\w.*-]+\.(?:ts|mjs|cjs)$/.test(word)),
  );
}

/** True for a path from the root or from `src/`, and for the name of a file; `*` and NAME stand for any name. */
function isInRepository(path: string): boolean {
  const pattern = path.replace(/[.-]/g, '\\$&').replace(/\*|NAME/g, '[^/]+');
  const start = path.includes('/') ? '^(?:src/)?' : '(?:^|/)';
  const named = new RegExp(`${start}${pattern}(?:$|/)`);
  return FILES.some((file) => named.test(file));
}

describe('paths of the repository', () => {
  it.each(PAGES)('exist where a document names them: %s', (page) => {
    expect(namedPaths(page).filter((path) => !isInRepository(path))).toEqual([]);
  });

  it.each(ROOT_PAGES)('exist in docs where a page of the root names them: %s', (page) => {
    const paths = codeWords(read(page)).filter((word) => /^docs\/[\w./-]+\.md$/.test(word));
    expect(paths.filter((path) => !FILES.includes(path))).toEqual([]);
  });

  it('are found in code, and missing files are noticed', () => {
    const words = codeWords('Run `npx jest test/a.spec.ts -t x`.\n\n```sh\ncat ./src/no/such.ts\n```\n');
    expect(words).toEqual(expect.arrayContaining(['test/a.spec.ts', 'src/no/such.ts']));
    expect(['src/no/such.ts', 'src/kb', '*.tool.ts', 'NAME.tool.ts'].map(isInRepository)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('the pages that are read first', () => {
  it('has a README of at most 12 KB', () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(12 * 1024);
  });

  it('describes a release in at most 4 KB', () => {
    const [, ...releases] = read('CHANGELOG.md').split(/^## /m);
    expect(releases.map((text) => Buffer.byteLength(text)).filter((bytes) => bytes > 4 * 1024)).toEqual([]);
    expect(releases.length).toBeGreaterThan(0);
  });
});
