import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SCRIPTS = readdirSync(join(ROOT, 'bench')).filter((name) => name.endsWith('.mjs'));
/** A module of the build: a path in `dist` that ends in .js. */
const BUILT = /'(?:\.\.\/dist|\.)\/([a-z0-9-]+\/[\w/.-]+)\.js'/g;

describe('the benchmarks', () => {
  const loaded = SCRIPTS.flatMap((file) =>
    [...readFileSync(join(ROOT, 'bench', file), 'utf8').matchAll(BUILT)].map(([, path = '']) => ({
      file,
      path,
    })),
  );

  it('load modules of the build that exist', () => {
    const missing = loaded.filter(({ path }) => !existsSync(join(ROOT, 'src', `${path}.ts`)));
    expect(loaded.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});
