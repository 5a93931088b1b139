import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_FILES } from '../../scripts/built-files.mjs';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';

const BUNDLED = readdirSync(join(PACKAGE_ROOT, 'dist')).filter((name) => name.endsWith('.cjs'));

/** The bundled files that a bundled file names. */
function loadedBy(file: string): string[] {
  const text = readFileSync(join(PACKAGE_ROOT, file), 'utf8');
  return BUNDLED.filter((name) => new RegExp(`["'\`/]${name}["'\`]`).test(text)).map(
    (name) => `dist/${name}`,
  );
}

describe('the files of the desktop bundle and of the container image', () => {
  it('include each file that the program loads', () => {
    const programs = BUILT_FILES.filter((path) => path.endsWith('.cjs'));
    const loaded = [...new Set(['dist/pith.cjs', ...programs.flatMap(loadedBy)])];
    expect(loaded.length).toBeGreaterThan(4);
    expect(loaded.filter((path) => !BUILT_FILES.includes(path))).toEqual([]);
  });
});
