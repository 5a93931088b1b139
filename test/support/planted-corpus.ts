import { HIDDEN_TEXTS, PLANTED_TEXTS } from './planted-texts.js';
import { writeFiles } from './write-files.js';

/** A document with a text that should be flagged. */
export interface PlantedDocument {
  readonly path: string;
  /** A word that only this document contains. */
  readonly word: string;
  readonly text: string;
}

const TEXTS = [...PLANTED_TEXTS, ...HIDDEN_TEXTS];

/** More than a hundred documents of the repository `vendor`. */
export const PLANTED: readonly PlantedDocument[] = TEXTS.map((text, i) => ({
  path: `vendor/p${i}.md`,
  word: `alder${i}x`,
  text: text.replaceAll('{PAGE}', `alder${i}x`),
}));

const pageOf = ({ word, text }: PlantedDocument): string =>
  `# Crane\n\nThe crane ${word} lifts forty tons.\n\n${text}\n\nThe crane ${word} is green.\n`;

const MANIFEST = `project: planted
repository: ours
taxonomy: { kind: { resource: true } }
repositories: { vendor: { trusted: false } }
documents:
  - { match: ['vendor/**'], repository: vendor, metadata: { kind: page } }
`;

/** Writes these documents, two ordinary ones, and one that pretends to be of a trusted repository. */
export function writePlantedCorpus(folder: string): void {
  writeFiles(folder, {
    '.pith.yaml': MANIFEST,
    'ours/guide.md': '# Berths\n\nThe berth birch1x is for ferries.\n\nSee the crane birch1x there.\n',
    'ours/other.md': '# Tides\n\nThe tide birch2x is high at noon.\n',
    'vendor/liar.md': '---\nrepository: ours\n---\n\n# Liar\n\nThe crane alderliarx lifts nothing.\n',
    ...Object.fromEntries(PLANTED.map((planted) => [planted.path, pageOf(planted)])),
  });
}

/** The text of a planted document as it is indexed, without characters that nobody can see and without comments. */
export const shownText = ({ word, text }: PlantedDocument): string[] => [
  `The crane ${word} lifts forty tons.`,
  ...(text.startsWith('<!--') ? [] : [text.replace(/[\p{Default_Ignorable_Code_Point}]/gu, '').trim()]),
  `The crane ${word} is green.`,
];
