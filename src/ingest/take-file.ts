import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DocumentProblem, IndexedDocument } from '../core/indexed-document.js';
import type { DocumentFacts } from '../core/section.js';
import { indexDocument } from './index-document.js';
import { type IndexRun, keepLast } from './index-run.js';
import type { DocumentRules } from './reading/document-metadata.js';
import { MalformedDocumentError } from './reading/parsed-document.js';
import { type FoundFile, type PassedOver, passedOver, type Remark, unreadable } from './walk-folder.js';

/**
 * Hash of the bytes, the manifest rules, the titles above and the artifact: a change to any of them re-indexes the
 * document.
 */
function hashOf(bytes: Uint8Array, rules: DocumentRules, ...others: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([rules, ...others]))
    .update('\0')
    .update(bytes)
    .digest('base64url');
}

/** The artifact that a file is a copy of. */
function artifactOf(bytes: Uint8Array, { hasArtifacts }: IndexRun): Pick<DocumentFacts, 'artifact'> {
  return hasArtifacts ? { artifact: createHash('sha256').update(bytes).digest('hex') } : {};
}

/** Everything to report about a document. Flags need no fixing. */
function remarksOn({ facts, problems }: IndexedDocument): Remark[] {
  const told = (isProblem: boolean) => (found: DocumentProblem) => ({
    path: `${facts.path}:${found.line}`,
    reason: found.reason,
    isProblem,
  });
  return [...problems.map(told(true)), ...(facts.caution?.flags ?? []).map(told(false))];
}

/** Marks the hash of a document with remarks, so that the next run reads it and reports them again. */
function withRemarkMark(document: IndexedDocument): IndexedDocument {
  return remarksOn(document).length > 0 ? { ...document, hash: `${document.hash}!` } : document;
}

function notReadable(file: FoundFile, error: unknown): PassedOver {
  if (!(error instanceof MalformedDocumentError)) return unreadable(file.path, error);
  return passedOver(`${file.path}:${error.line}`, error.reason, true);
}

/** Reads one file. @returns the document if it is to be staged, else [] */
export async function takeFile(file: FoundFile, run: IndexRun): Promise<IndexedDocument[]> {
  try {
    return await readDocument(file, run);
  } catch (error) {
    run.skipped.push(notReadable(file, error));
    keepLast(file.path, run);
    return [];
  }
}

async function readDocument(file: FoundFile, run: IndexRun): Promise<IndexedDocument[]> {
  const { maxFileBytes } = run.options;
  if (file.bytes > maxFileBytes) {
    run.skipped.push(
      passedOver(file.path, `${file.bytes} bytes exceed PITH_MAX_FILE_BYTES (${maxFileBytes})`, true),
    );
    keepLast(file.path, run);
    return [];
  }
  const rules = run.corpus.rules.rulesFor(file.path);
  const trail = run.trailOf(file.path);
  const stamp = run.seen.stampOf(file, rules, trail);
  const seen = run.seen.hashOf(file.path, stamp);
  if (seen !== null && isKnown(file.path, seen, run)) return [];
  // Synchronous: nothing else has to run meanwhile, and waiting for a promise takes longer than the read.
  const own = readFileSync(file.absolute);
  const bytes = run.included.expand(own, file.path);
  const ofArtifact = artifactOf(own, run);
  const hash = hashOf(bytes, rules, trail, ...Object.values(ofArtifact));
  // A page with parts of other files can change when these do.
  if (!run.included.has(own, file.path)) run.seen.keep(file, { stamp, hash });
  if (isKnown(file.path, hash, run)) return [];
  const read = await indexDocument({ file, bytes, rules, hash, trail });
  const document = withRemarkMark({ ...read, facts: { ...read.facts, ...ofArtifact } });
  const remarks = remarksOn(document);
  run.remarks.push(...remarks);
  // The file is unchanged; it was read only to report on it again.
  if (remarks.length > 0 && isKnown(file.path, document.hash, run)) return [];
  if (document.sections.length === 0) {
    run.skipped.push(passedOver(file.path, 'it has no text', false));
    return [];
  }
  run.present.set(file.path, document.hash);
  run.counts.parsed++;
  return [document];
}

function isKnown(path: string, hash: string, { state, present, counts }: IndexRun): boolean {
  const isPublished = state.published.get(path) === hash;
  const isStaged = !isPublished && state.staged.get(path) === hash;
  if (isPublished) counts.unchanged++;
  if (isStaged) counts.resumed++;
  if (isPublished || isStaged) present.set(path, hash);
  return isPublished || isStaged;
}
