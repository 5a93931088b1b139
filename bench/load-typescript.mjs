// Loads a TypeScript file of bench/research. Modules of src are those of the build, in dist.
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const ourBuild = {
  name: 'our-build',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/\.\.\/src\// }, ({ path }) => ({
      path: path.replace('../../src/', '../'),
      external: true,
    }));
  },
};

/** @param {string} name  of a file in bench/research, without its extension */
export async function loadTypeScript(name) {
  const outfile = join(ROOT, 'dist', 'bench', `${name}-${process.pid}.cjs`);
  await build({
    entryPoints: [join(ROOT, 'bench', 'research', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    plugins: [ourBuild],
    logLevel: 'warning',
  });
  try {
    return createRequire(import.meta.url)(outfile);
  } finally {
    rmSync(outfile);
  }
}
