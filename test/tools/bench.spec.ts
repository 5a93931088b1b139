import { execFileSync } from 'node:child_process';
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

  it('make corpora whose vocabulary grows with the sections to the power of .66, with rare and frequent new words', () => {
    const script = `
      import { wordGrower, wordsIn } from './bench/grown-words.mjs';
      import { randomFrom } from './bench/measure.mjs';
      const grow = wordGrower({ words: 1000, headings: 1000 }, randomFrom(7));
      const counts = new Map();
      for (let written = 1000; written < 32000; written += 10) {
        const page = grow(['# ' + 'Title '.repeat(50), 'Paragraph '.repeat(50)], written, 10);
        for (const word of wordsIn(page.join(' '))) counts.set(word, (counts.get(word) ?? 0) + 1);
      }
      const all = [...counts.values()].sort((a, b) => b - a).slice(2);
      console.log(JSON.stringify([all.length, all.filter((n) => n === 1).length, all[0]]));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    const [words, once, most] = JSON.parse(output.toString()) as [number, number, number];
    const expected = 1000 * 32 ** 0.66 - 1000;
    expect(words / expected).toBeGreaterThan(0.97);
    expect(words / expected).toBeLessThan(1.03);
    expect(once / words).toBeGreaterThan(0.4);
    expect(most).toBeGreaterThan(10);
  });
});
