import type { FoundHeading, IndexedDocument } from '../core/indexed-document.js';
import type { Section } from '../core/section.js';
import { graphOf } from './document-graph.js';
import type { DocumentRules } from './manifest/corpus-rules.js';
import { decodeSource } from './reading/decode-source.js';
import { describeDocument } from './reading/describe-document.js';
import { documentMetadata } from './reading/document-metadata.js';
import { headingTitle } from './reading/document-title.js';
import { readerFor } from './reading/readers.js';
import { sectionDocument } from './sections/section-document.js';
import type { FoundFile } from './walk-folder.js';

export interface DocumentSource {
  readonly file: FoundFile;
  readonly bytes: Uint8Array;
  readonly rules: DocumentRules;
  readonly hash: string;
}

/**
 * Turns a file's bytes into a document with its sections.
 * @throws MalformedDocumentError
 */
export async function indexDocument({ file, bytes, rules, hash }: DocumentSource): Promise<IndexedDocument> {
  const read = await readerFor(file.path);
  if (!read) throw new Error(`unsupported file type: ${file.path}`);
  const document = read(decodeSource(bytes));
  const { metadata, problems: ofMetadata } = documentMetadata(document.written, rules);
  const facts = describeDocument({
    path: file.path,
    frontMatter: document.frontMatter,
    headingTitle: headingTitle(document.blocks),
    htmlTitle: document.title,
    mtimeMs: file.mtimeMs,
    overrides: rules,
    metadata,
  });
  const split = sectionDocument(file.path, document, facts.title);
  const sections = split.sections.map(wellFormed);
  return {
    facts,
    hash,
    bytes: file.bytes,
    frontMatter: document.frontMatter,
    sections,
    graph: graphOf(split.headings.map(wellFormedHeading), sections, split),
    problems: [...document.problems, ...ofMetadata],
  };
}

function wellFormedHeading(heading: FoundHeading): FoundHeading {
  return { ...heading, title: heading.title.toWellFormed() };
}

/** Escapes in YAML and HTML can produce half a surrogate pair, which strict JSON readers reject. */
function wellFormed(section: Section): Section {
  const { title, headingPath, text } = section;
  if ([title, ...headingPath, text].every((part) => part.isWellFormed())) return section;
  const whole = headingPath.map((part) => part.toWellFormed());
  return { ...section, title: title.toWellFormed(), headingPath: whole, text: text.toWellFormed() };
}
