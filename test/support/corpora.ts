import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { FIXTURE_CORPUS } from './build-index.js';

const SHARED = join(__dirname, '..', '..', '..', 'shared', 'data');

/** What a generated corpus looks like. */
export interface CorpusShape {
  readonly documents: number;
  readonly sectionsPerDocument: number;
  /** Sentences of one section. */
  readonly sentences: number;
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The words of the fixtures, and made ones beside them, since a vocabulary of a few hundred ranks like nothing real. */
function vocabulary(random: () => number): readonly string[] {
  const files = readdirSync(FIXTURE_CORPUS, { recursive: true, encoding: 'utf8' });
  const texts = files.filter((name) => name.endsWith('.md')).map((name) => join(FIXTURE_CORPUS, name));
  const real = texts.flatMap((file) => readFileSync(file, 'utf8').match(/\p{L}{3,}/gu) ?? []);
  const syllables = ['ba', 'ker', 'lo', 'min', 'ta', 'ri', 'so', 'ven', 'du', 'pex'];
  const syllable = (): string => syllables[Math.floor(random() * syllables.length)] ?? '';
  const made = Array.from({ length: 4_000 }, () => syllable() + syllable() + syllable() + syllable());
  return [...new Set([...real, ...made])];
}

/** Writes a corpus of Markdown that is the same each time. */
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
 * A corpus to index in tests: a real one that lies beside the checkout, else one made from the fixtures.
 * @throws Error  in CI where the real one is missing, so that no CI run tests less without a word
 * @param into  an empty folder for the made one
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
 * Something that lies beside the checkout and nothing stands in for; null where it is missing.
 * @throws Error  in CI where it is missing
 * @param path  below `shared/data`
 */
export function sharedData(path: string): string | null {
  const real = join(SHARED, path);
  if (existsSync(real)) return real;
  if (process.env['CI'])
    throw new Error(`CI tests with ${real}, which is missing: put it there, or unset CI.`);
  return null;
}

/** Copies a corpus to where a test may change it. */
export function copyCorpus(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
}

/** Copies about one of so many documents of a corpus, the same each time. */
export function copyShare(from: string, to: string, of: number): void {
  const sum = (path: string): number =>
    [...relative(from, path)].reduce((all, c) => all + c.charCodeAt(0), 0);
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.md') || sum(path) % of === 0 });
}

/** Copies a corpus of which each document ends early: as many files, in a fraction of the time. */
export function copyBeginnings(from: string, to: string, characters: number): void {
  copyCorpus(from, to);
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    const file = join(to, name);
    if (name.endsWith('.md')) writeFileSync(file, readFileSync(file, 'utf8').slice(0, characters));
  }
}

/** Runs of two to six words from the documents of a folder: what somebody might look for. */
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
