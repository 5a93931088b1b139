import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readStart } from '../config/given-path.js';
import type { DocumentProblem, IndexedDocument, Remark } from '../core/indexed-document.js';
import type { SeenFile } from '../core/ports/index-writer.port.js';
import { type DocumentFacts, UNRELEASED, VERSION_KEY, VERSION_STATE_KEY } from '../core/section.js';
import { COMPONENT_VERSION } from './antora-attributes.js';
import type { ConvertedText } from './conversion/converted-text.js';
import { isCode } from './conversion/formats.js';
import { indexDocument } from './index-document.js';
import { type IndexRun, keepLast } from './index-run.js';
import { namesGroups } from './manifest/written-groups.js';
import type { DocumentRules } from './reading/document-metadata.js';
import { MalformedDocumentError } from './reading/parsed-document.js';
import { type FoundFile, type PassedOver, passedOver, unreadable } from './walk-folder.js';

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

/** The place of a line of a file; 0 stands for the file. */
const placeIn = (path: string, line: number): string => (line > 0 ? `${path}:${line}` : path);

/** Everything to report about a document. Flags and parts that a conversion leaves out need no fixing. */
function remarksOn({ facts, problems }: IndexedDocument, converted?: ConvertedText): Remark[] {
  const remark = (isProblem: boolean) => (found: DocumentProblem) => ({
    path: placeIn(facts.path, found.line),
    reason: found.reason,
    isProblem,
  });
  const without = (reasons: readonly string[], isProblem: boolean): Remark[] =>
    reasons.map((reason) => ({ path: facts.path, reason, isProblem }));
  return [
    ...problems.map(remark(true)),
    ...without(converted?.problems ?? [], true),
    ...(facts.caution?.flags ?? []).map(remark(false)),
    ...without(converted?.leftOut ?? [], false),
  ];
}

/** Marks the hash of a document with remarks: a run that does not know the remarks reads it again to report them. */
const marked = (hash: string, remarks: readonly Remark[]): string => (remarks.length > 0 ? `${hash}!` : hash);

function notReadable(file: FoundFile, error: unknown): PassedOver {
  if (!(error instanceof MalformedDocumentError)) return unreadable(file.path, error);
  return passedOver(placeIn(file.path, error.line), error.reason, true);
}

/** Front matter is shorter. */
const HEADER_BYTES = 65_536;
const HIDDEN =
  'its header names groups, but it can not be read; so nobody sees its last version but callers with all groups. Correct the file';

/** The start of a file, as far as it is ASCII. */
const readHeader = (absolute: string): string =>
  Buffer.from(readStart(absolute, HEADER_BYTES))
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)|[\0\r]/g, '');

/** Hides the last version of a page whose file now seems to name groups, but can't be read. */
function hideIfLimited({ path, absolute }: FoundFile, { state, hidden, remarks }: IndexRun): void {
  if (!state.published.has(path)) return;
  try {
    if (!namesGroups(readHeader(absolute), path)) return;
  } catch {
    // A file that can't be opened tells nothing; the run reports it.
    return;
  }
  hidden.add(path);
  remarks.push({ path, reason: HIDDEN, isProblem: true });
}

/** Reads one file. @returns the document if it is to be staged, else [] */
export async function takeFile(file: FoundFile, run: IndexRun): Promise<IndexedDocument[]> {
  const passOver = (reason: PassedOver): [] => {
    run.skipped.push(reason);
    keepLast(file.path, run);
    hideIfLimited(file, run);
    return [];
  };
  if (run.included.takePart(file.path, (page) => run.present.has(page))) return [];
  const { maxFileBytes } = run.options;
  if (file.bytes > maxFileBytes) {
    const reason = `${file.bytes} bytes exceed PITH_MAX_FILE_BYTES (${maxFileBytes})`;
    return passOver(passedOver(file.path, reason, true));
  }
  try {
    return await readDocument(file, run);
  } catch (error) {
    return passOver(notReadable(file, error));
  }
}

/** Stands for the hash of a file that can't be converted. */
const UNREADABLE = 'unreadable';

/** Why a page is left out of which nothing can be quoted. */
export const NO_TEXT = 'it has no text';

/** The same for a file of code. Many have neither documentation nor exports. */
const NO_DECLARATIONS = 'it declares nothing that is documented or exported';

const BLANK = new Set([0x09, 0x0a, 0x0d, 0x20]);
const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => BLANK.has(byte));

const whyEmpty = (path: string, bytes: Uint8Array): string =>
  isBlank(bytes) ? 'it is empty' : isCode(path) ? NO_DECLARATIONS : NO_TEXT;

const SIGNATURE = Buffer.from('-----BEGIN PGP ');

/** True for a signature or key of PGP, which has the extension of a page of AsciiDoc. */
const isSignature = (path: string, bytes: Buffer): boolean =>
  /\.asc$/i.test(path) && bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

function readRules(file: FoundFile, label: string, run: IndexRun): DocumentRules {
  const site = run.siteRulesOf(file);
  const attributes = run.attributesOf(file.absolute);
  const rules = run.corpus.rules.rulesFor(file.path);
  const named = attributes?.[COMPONENT_VERSION] ?? run.versionOf(file.path) ?? rules.branchVersion;
  const { version, isUnreleased } = run.siteVersion(file, named);
  const ofSite = {
    ...(version === undefined ? {} : { [VERSION_KEY]: version }),
    ...(isUnreleased ? { [VERSION_STATE_KEY]: UNRELEASED } : {}),
  };
  // A version that is given says nothing of the one that the settings know.
  const metadata = VERSION_KEY in rules.metadata ? rules.metadata : { ...ofSite, ...rules.metadata };
  const known = { ...(site && { site }), ...(attributes && { attributes }), ...(label && { label }) };
  return { ...rules, metadata, ...known };
}

async function readDocument(file: FoundFile, run: IndexRun): Promise<IndexedDocument[]> {
  const { trail, label } = run.placeOf(file.path);
  const rules = readRules(file, label, run);
  const stamp = run.seen.stampOf(file, rules, trail);
  const seen = run.seen.find(file.path, stamp);
  if (seen?.hash === UNREADABLE) throw new MalformedDocumentError(0, seen.remarks[0]?.reason ?? '');
  if (seen && isKnown(file.path, seen.hash, run)) {
    run.remarks.push(...seen.remarks);
    return [];
  }
  // Synchronous: nothing else has to run meanwhile, and waiting for a promise takes longer than the read.
  const own = readFileSync(file.absolute);
  if (isSignature(file.path, own)) {
    run.skipped.push(passedOver(file.path, 'a signature or key of PGP', false));
    return [];
  }
  const { bytes, dependsOnOthers } = run.included.expand(own, file.path, rules);
  const ofArtifact = artifactOf(own, run);
  const hash = hashOf(bytes, rules, trail, ...Object.values(ofArtifact));
  const keep = (facts: Pick<SeenFile, 'hash' | 'remarks'>): void => {
    // A page with parts of other files can change when these do.
    if (!dependsOnOthers) run.seen.keep(file, { stamp, ...facts });
  };
  if (isKnown(file.path, hash, run)) {
    keep({ hash, remarks: [] });
    return [];
  }
  const converted = await convert(file, { bytes, stamp }, run);
  const read = await indexDocument({ file, bytes, converted, rules, hash, trail });
  const remarks = remarksOn(read, converted);
  const document = { ...read, facts: { ...read.facts, ...ofArtifact }, hash: marked(hash, remarks) };
  keep({ hash: document.hash, remarks });
  run.remarks.push(...remarks);
  // The file is unchanged; it was read only to report on it again.
  if (remarks.length > 0 && isKnown(file.path, document.hash, run)) return [];
  if (document.sections.length === 0) {
    run.skipped.push(passedOver(file.path, whyEmpty(file.path, bytes), false));
    return [];
  }
  run.present.set(file.path, document.hash);
  run.counts.parsed++;
  return [document];
}

/** Converts a file that is no text. One that can't be converted is not tried again until it changes: it can take a minute. */
async function convert(
  file: FoundFile,
  { bytes, stamp }: { readonly bytes: Uint8Array; readonly stamp: string },
  { converter, seen }: IndexRun,
): Promise<ConvertedText | undefined> {
  try {
    return await converter.convert(file.path, bytes);
  } catch (error) {
    if (error instanceof MalformedDocumentError) {
      const remark = { path: file.path, reason: error.reason, isProblem: true };
      seen.keep(file, { stamp, hash: UNREADABLE, remarks: [remark] });
    }
    throw error;
  }
}

function isKnown(path: string, hash: string, { state, present, counts }: IndexRun): boolean {
  const isPublished = state.published.get(path) === hash;
  const isStaged = !isPublished && state.staged.get(path) === hash;
  if (isPublished) counts.unchanged++;
  if (isStaged) counts.resumed++;
  if (isPublished || isStaged) present.set(path, hash);
  return isPublished || isStaged;
}
