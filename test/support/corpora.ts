import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { FIXTURE_CORPUS } from './build-index.js';

const SHARED = join(__dirname, '..', '..', '..', 'shared', 'data');

/** Settings of a generated corpus. */
export interface CorpusShape {
  readonly documents: number;
  readonly sectionsPerDocument: number;
  /** Sentences per section. */
  readonly sentences: number;
}

/** A generator of numbers in [0, 1), deterministic by seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The words of the fixtures and generated words, since a vocabulary of a few hundred words is not realistic for
 * ranking.
 */
function vocabulary(random: () => number): readonly string[] {
  const files = readdirSync(FIXTURE_CORPUS, { recursive: true, encoding: 'utf8' });
  const texts = files.filter((name) => name.endsWith('.md')).map((name) => join(FIXTURE_CORPUS, name));
  const real = texts.flatMap((file) => readFileSync(file, 'utf8').match(/\p{L}{3,}/gu) ?? []);
  const syllables = ['ba', 'ker', 'lo', 'min', 'ta', 'ri', 'so', 'ven', 'du', 'pex'];
  const syllable = (): string => syllables[Math.floor(random() * syllables.length)] ?? '';
  const made = Array.from({ length: 4_000 }, () => syllable() + syllable() + syllable() + syllable());
  return [...new Set([...real, ...made])];
}

/** Writes a deterministic Markdown corpus. */
export function generateCorpus(
  folder: string,
  { documents, sectionsPerDocument, sentences }: CorpusShape,
): void {
  const random = randomFrom(7);
  const words = vocabulary(random);
  // Squared, so that some words are common and most are rare.
  const word = (): string => words[Math.floor(random() ** 2 * words.length)] ?? '';
  const sentence = (): string => `${Array.from({ length: 12 }, word).join(' ')}.`;
  for (let d = 0; d < documents; d++) {
    const sections = Array.from({ length: sectionsPerDocument }, (_, s) => {
      const text = Array.from({ length: sentences }, sentence).join(' ');
      return `## ${word()} ${word()} ${s}\n\n${text}\n`;
    });
    const file = join(folder, `part-${d % 20}`, `page-${d}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `# Page ${d} ${word()}\n\n${sections.join('\n')}`);
  }
}

/**
 * A corpus for tests: a real one next to the checkout, else one generated from the fixtures.
 * @throws Error  in CI if the real one is missing, so that CI never silently tests less
 * @param into  an empty folder for the generated corpus
 */
export function corpusFolder(name: 'powershell' | 'cpp-docs', into: string): string {
  const real = join(SHARED, 'corpora', name);
  if (existsSync(real)) return real;
  if (process.env['CI']) {
    throw new Error(`CI tests with the corpus ${name}, but there is no ${real}: put it there, or unset CI.`);
  }
  const documents = name === 'powershell' ? 1_100 : 2_600;
  generateCorpus(into, { documents, sectionsPerDocument: 16, sentences: 8 });
  return into;
}

/**
 * Shared data next to the checkout, without a substitute; null if it is missing.
 * @throws Error  in CI if it is missing
 * @param path  below `shared/data`
 */
export function sharedData(path: string): string | null {
  const real = join(SHARED, path);
  if (existsSync(real)) return real;
  if (process.env['CI'])
    throw new Error(`CI tests with ${real}, which is missing: put it there, or unset CI.`);
  return null;
}

/** Copies a corpus, so that a test can change it. */
export function copyCorpus(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
}

/** Copies about one of every n documents of a corpus, deterministically. */
export function copyShare(from: string, to: string, of: number): void {
  const sum = (path: string): number =>
    [...relative(from, path)].reduce((all, c) => all + c.charCodeAt(0), 0);
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.md') || sum(path) % of === 0 });
}

/** Copies a corpus with shortened documents: the same number of files, much faster to index. */
export function copyBeginnings(from: string, to: string, characters: number): void {
  copyCorpus(from, to);
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    const file = join(to, name);
    if (name.endsWith('.md')) writeFileSync(file, readFileSync(file, 'utf8').slice(0, characters));
  }
}

/** Queries made of two to six consecutive words from the documents of a folder. */
export function drawQueries(corpus: string, count: number, seed: number): string[] {
  const random = randomFrom(seed);
  const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
  return Array.from({ length: count }, () => {
    const file = files[Math.floor(random() * files.length)] ?? '';
    const words = readFileSync(join(corpus, file), 'utf8').match(/\p{L}[\p{L}\p{N}-]+/gu) ?? ['nothing'];
    const start = Math.floor(random() * words.length);
    return words.slice(start, start + 2 + Math.floor(random() * 5)).join(' ') || 'nothing';
  });
}
