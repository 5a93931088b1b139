// Questions and seeds that are drawn from a corpus, the same for the same corpus.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from './measure.mjs';

export const SEED = 7;
/** Sections that a walk through the graph begins with. */
export const SEEDS = 5;

export function documentsOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|mdx)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Draws runs of three to eight words from sentences of the corpus, as a user might search for. */
export function drawQueries(files, count) {
  const random = randomFrom(SEED);
  const queries = [];
  while (queries.length < count) {
    const text = readFileSync(files[Math.floor(random() * files.length)], 'utf8').replace(
      /^---[\s\S]*?\n---/,
      '',
    );
    const sentences = text.split(/(?<=[.?!])\s+/).filter((s) => /^[A-Z][^|#`]{30,300}$/.test(s));
    const words = (sentences[Math.floor(random() * sentences.length)] ?? '').split(/\s+/);
    const length = 3 + Math.floor(random() * 6);
    const start = Math.floor(random() * Math.max(1, words.length - length));
    if (words.length >= 3) queries.push(words.slice(start, start + length).join(' '));
  }
  return queries;
}

/** The first five sections of a search for each query; queries with fewer sections are left out. */
export async function drawSeeds(client, queries) {
  const seeds = [];
  for (const query of queries) {
    const { result } = await client.call('kb.search', { query });
    const ids = [...new Set(result.structuredContent.results.map(({ section_id }) => section_id))];
    if (ids.length >= SEEDS) seeds.push(ids.slice(0, SEEDS));
  }
  return seeds;
}
