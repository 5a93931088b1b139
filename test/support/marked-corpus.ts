import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SECTIONS_PER_DOCUMENT = 5;
const BASE_DOCUMENTS = 120;
const TOPICS = ['kestrel', 'harbour', 'lantern', 'meadow', 'granite', 'willow'];

/** The word in every sentence of a generation. */
export const markerOf = (generation: number): string => `gen${String(generation).padStart(5, '0')}mark`;

/** The generations whose words are in a text. */
export const markersIn = (text: string): string[] => [...new Set(text.match(/gen\d{5}mark/g) ?? [])].sort();

/**
 * Number of documents of a generation. It differs between consecutive generations, so that counts show incomplete
 * changes.
 */
export const documentsOf = (generation: number): number => BASE_DOCUMENTS + (generation % 7);

function pageOf(number: number, generation: number): string {
  const marker = markerOf(generation);
  const sections = Array.from({ length: SECTIONS_PER_DOCUMENT }, (_, s) => {
    const topic = TOPICS[(number + s) % TOPICS.length];
    const sentences = Array.from(
      { length: 6 },
      (__, i) => `The ${topic} valve ${number} of ${marker} closes after step ${i} when pressure falls.`,
    );
    return `## The ${topic} valve ${s}\n\n${sentences.join(' ')}\n`;
  });
  return `# Valve ${number}\n\n${sections.join('\n')}`;
}

/** Overwrites a generation with the next one. */
export function writeGeneration(folder: string, generation: number): void {
  mkdirSync(folder, { recursive: true });
  const count = documentsOf(generation);
  for (let number = 0; number < count; number++) {
    writeFileSync(join(folder, `valve-${number}.md`), pageOf(number, generation));
  }
  for (let number = count; number < BASE_DOCUMENTS + 7; number++) {
    rmSync(join(folder, `valve-${number}.md`), { force: true });
  }
}
