import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { malformedInput, readJsonLines, refuseRepeatedIds } from '../../src/cli/eval/sets/golden-set.js';
import { readBeirCorpus } from './beir-set.js';
import type { PlainDocument } from './plain-document.js';

const hotpotSchema = z.object({
  id: z.string().min(1),
  question: z.string().min(1),
  type: z.string().default('question'),
  paragraphs: z
    .array(z.object({ title: z.string(), sentences: z.array(z.string()), doc_id: z.string().min(1) }))
    .min(1),
  supporting_facts: z.array(z.tuple([z.string(), z.int()])).min(1),
});

const scifactSchema = z.object({
  id: z.string().min(1),
  question: z.string().min(1),
  evidence: z
    .array(
      z.object({
        doc_id: z.string().min(1),
        title: z.string(),
        sentences: z.array(z.string()).min(1),
        gold_sets: z.array(z.array(z.int())),
        gold_sentences: z.array(z.int()).min(1),
        label: z.string().default('question'),
      }),
    )
    .min(1),
});

type EvidenceLine = z.output<typeof hotpotSchema> | z.output<typeof scifactSchema>;

/** Chooses the layout by its field, so that an error names the fields of that layout only. */
const evidenceLineSchema = z.looseObject({}).transform((line, context): EvidenceLine => {
  const layout = 'paragraphs' in line || 'supporting_facts' in line ? hotpotSchema : scifactSchema;
  const parsed = layout.safeParse(line);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});

/** A question over a few given passages. */
export interface EvidenceQuestion {
  readonly id: string;
  readonly question: string;
  readonly type: string;
  readonly passages: readonly PlainDocument[];
  /** Sentences that prove the answer. */
  readonly gold: readonly string[];
  /** Sets of sentences; each set alone proves the answer. */
  readonly rationales: readonly (readonly string[])[];
}

export interface EvidenceSet {
  readonly questions: readonly EvidenceQuestion[];
  readonly documents: readonly PlainDocument[];
  readonly maxQuotes: number;
}

/** Joins sentences, with a space where the source has none between them (2WikiMultihopQA, SciFact). */
function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce(
    (text, sentence) => (/\S$/.test(text) && /^\S/.test(sentence) ? `${text} ${sentence}` : text + sentence),
    '',
  );
}

/** HotpotQA (Yang et al., EMNLP 2018): ten paragraphs per question. */
function fromHotpot(line: z.output<typeof hotpotSchema>): EvidenceQuestion[] {
  const gold = line.supporting_facts.flatMap(([title, at]) => {
    const sentence = line.paragraphs.find((paragraph) => paragraph.title === title)?.sentences[at];
    return sentence === undefined ? [] : [sentence];
  });
  const passages = line.paragraphs.map(({ doc_id, title, sentences }) => ({
    id: doc_id,
    title,
    text: joinSentences(sentences),
  }));
  const { id, question, type } = line;
  return [{ id, question, type, passages, gold, rationales: [gold] }];
}

/** SciFact (Wadden et al., EMNLP 2020): one claim per abstract. */
function fromScifact({ id, question, evidence }: z.output<typeof scifactSchema>): EvidenceQuestion[] {
  return evidence.map(({ doc_id, title, sentences, gold_sentences, gold_sets, label }) => {
    const at = (places: readonly number[]): string[] => places.flatMap((i) => sentences[i] ?? []);
    return {
      id: `${id}/${doc_id}`,
      question,
      type: label,
      passages: [{ id: doc_id, title, text: joinSentences(sentences) }],
      gold: at(gold_sentences),
      rationales: gold_sets.map(at),
    };
  });
}

/** The collection that the passages were taken from, if it is in its usual place. */
function collectionFile(folder: string): string | undefined {
  const name = basename(folder).replace(/-rationales$/, '');
  const places = [
    join(folder, 'retrieval', 'corpus.jsonl'),
    join(folder, '..', '..', 'beir', name, 'corpus.jsonl'),
  ];
  return places.find((file) => existsSync(file));
}

async function documentsOf(folder: string, questions: readonly EvidenceQuestion[]): Promise<PlainDocument[]> {
  const own = questions.flatMap(({ passages }) => passages);
  const file = collectionFile(folder);
  const all = [...own, ...(file ? await readBeirCorpus(file) : [])];
  return [...new Map(all.toReversed().map((document) => [document.id, document])).values()].toReversed();
}

/**
 * Reads `questions.jsonl` in a folder, and the collection: `retrieval/corpus.jsonl` in the folder, or the corpus of
 * `../../beir/NAME` for a folder NAME or NAME-rationales. @throws InvalidArgumentError
 */
export async function readEvidenceSet(folder: string): Promise<EvidenceSet> {
  const file = join(folder, 'questions.jsonl');
  const lines = await readJsonLines(file, evidenceLineSchema);
  const isHotpot = lines.some((line) => 'paragraphs' in line);
  const questions = lines.flatMap((line) => ('paragraphs' in line ? fromHotpot(line) : fromScifact(line)));
  refuseRepeatedIds(file, questions);
  const without = questions.find(({ gold }) => gold.length === 0);
  if (without) {
    const hint = 'Compare the gold places with the sentences.';
    throw malformedInput(file, `${without.id} has no gold sentence`, hint);
  }
  return { questions, documents: await documentsOf(folder, questions), maxQuotes: isHotpot ? 6 : 3 };
}
