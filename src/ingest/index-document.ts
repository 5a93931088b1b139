import type { DocumentGraph, FoundHeading, IndexedDocument } from '../core/indexed-document.js';
import { type DocumentFacts, KIND_KEY, type Section } from '../core/section.js';
import { removeInvisible, withoutInvisible } from '../text/remove-invisible.js';
import type { ConvertedText } from './conversion/converted-text.js';
import { findFlags } from './flags/find-flags.js';
import { findLinks } from './links/find-links.js';
import { isSeeAlsoTitle } from './links/see-also.js';
import { writtenGroups } from './manifest/written-groups.js';
import { findMentions } from './names/find-mentions.js';
import { withLabelAnchors } from './reading/anchors/label-anchors.js';
import { withSiteAnchors } from './reading/anchors/site-anchors.js';
import { decodePage, decodeSource, withoutSeparators } from './reading/decode-source.js';
import { describeDocument } from './reading/describe-document.js';
import { documentMetadata, type DocumentRules } from './reading/document-metadata.js';
import { withoutPayloads } from './reading/embedded-bytes.js';
import { generatedText, shownFrontMatter } from './reading/front-matter/shown-front-matter.js';
import { blankFirstComments } from './reading/myst/first-comments.js';
import { pageKind } from './reading/page-kind.js';
import { withPages } from './reading/page-marks.js';
import type { DocumentReader, ParsedDocument } from './reading/parsed-document.js';
import { readerFor } from './reading/readers.js';
import { findSteps } from './sections/find-steps.js';
import { headingTitle, withoutSiteName } from './sections/heading-places.js';
import { sectionDocument, type SectionedDocument, type SplitSection } from './sections/section-document.js';
import { readStructure } from './structure/read-units.js';
import type { DocumentFile } from './walk-folder.js';

/** Keys of the front matter of blog posts. */
const DATES = ['date', 'published', 'author', 'authors'];
const MARKDOWN = /\.(?:md|markdown)$/i;

const isMyst = (path: string, { site }: DocumentRules): boolean => site === 'sphinx' && MARKDOWN.test(path);

interface DocumentOrigin {
  readonly file: Partial<DocumentFile> & Pick<DocumentFile, 'path' | 'bytes' | 'mtimeMs'>;
  readonly rules: DocumentRules;
  readonly hash: string;
  /** Titles of the folders above the page, outermost first. */
  readonly trail?: readonly string[];
}

interface DocumentSource extends DocumentOrigin {
  readonly bytes: Uint8Array;
  /** The text of a file of another format. */
  readonly converted?: ConvertedText | undefined;
}

/** A document with the places of its sections. */
interface PlacedDocument {
  readonly document: IndexedDocument;
  /** For each section the line of its heading; 0 for the start of the document. */
  readonly lines: readonly number[];
}

/** Turns a file's bytes into a document with its sections. @throws MalformedDocumentError */
export async function indexDocument({
  bytes,
  converted,
  ...origin
}: DocumentSource): Promise<IndexedDocument> {
  const decode = /\.x?html?$/i.test(origin.file.path) ? decodePage : decodeSource;
  return (await indexText(converted?.text ?? decode(bytes), origin, converted?.format)).document;
}

/**
 * The same for decoded text (LF line ends, no byte order mark).
 * @param format  the extension of its format, if that is not the one of the file
 * @throws MalformedDocumentError
 */
export async function indexText(
  source: string,
  { file, rules, hash, trail = [] }: DocumentOrigin,
  format?: string,
): Promise<PlacedDocument> {
  const shown = withoutBlankLinks(file.path, source);
  const visible = removeInvisible(shown);
  const document = await parseText(visible.text, { path: file.path, rules }, format);
  const { metadata, problems: ofMetadata } = documentMetadata(document.written, rules);
  const facts = describeDocument({
    path: file.path,
    frontMatter: document.frontMatter,
    headingTitle: headingTitle(document.blocks),
    htmlTitle: document.title && withoutSiteName(document.title, document.blocks),
    mtimeMs: file.mtimeMs,
    overrides: rules,
    metadata,
  });
  const { problems: ofGroups, ...groups } = writtenGroups(document, visible.text, format ?? file.path);
  const split = splitDocument(file.path, document, facts.title);
  const sections = split.sections.map(readable);
  const headings = split.headings.map(plainHeading);
  const removed = visible.removedAt.length + charsOf(split.sections) - charsOf(sections);
  const indexed = {
    facts: {
      ...facts,
      trail: trail.map(plain).filter((title) => title !== facts.title),
      metadata: withKind(facts, headings, document.frontMatter),
      ...cautionOf(shown, removed, { path: file.path, sections }),
    },
    hash,
    bytes: file.bytes,
    frontMatter: document.frontMatter,
    ...groups,
    sections,
    graph: graphOf(headings, sections, split),
    problems: [...document.problems, ...ofMetadata, ...ofGroups],
  };
  return { document: indexed, lines: split.lines };
}

async function parseText(
  text: string,
  { path, rules }: { readonly path: string; readonly rules: DocumentRules },
  format?: string,
): Promise<ParsedDocument> {
  const read = await findReader(path, format);
  const shown = isMyst(path, rules) ? blankFirstComments(text) : text;
  return onSite(await read(withoutPayloads(shown), rules.attributes), rules, text);
}

async function findReader(path: string, format?: string): Promise<DocumentReader> {
  const read = await readerFor(path, format);
  if (!read) throw new Error(`unsupported file type: ${path}`);
  return read;
}

/** A document with its pages, and the anchors of its site. @param source  its text */
function onSite(parsed: ParsedDocument, { site }: DocumentRules, source: string): ParsedDocument {
  const document = { ...parsed, blocks: withPages(parsed.blocks) };
  if (!site) return document;
  const blocks = withSiteAnchors(document.blocks, site, source.split('\n'));
  const anchors = site === 'sphinx' ? withLabelAnchors(document.anchors) : document.anchors;
  return { ...document, blocks, anchors };
}

/** Splits a document into sections. If it has no text, the texts of its front matter are what readers see of it. */
function splitDocument(path: string, document: ParsedDocument, title: string): SectionedDocument {
  const { blocks, frontMatter } = document;
  const split = sectionDocument(
    path,
    { ...document, blocks: [...generatedText(frontMatter), ...blocks] },
    title,
  );
  if (split.sections.length > 0) return split;
  return sectionDocument(path, { ...document, blocks: [...shownFrontMatter(frontMatter), ...blocks] }, title);
}

/** The links to headings of Docusaurus: one space of no width, to which a style adds a symbol. */
const BLANK_LINK = /\u200b(?<=<a\s[^<>]{0,600}?href=["']?[^\s"'<>]{0,500}#[^<>]{0,600}>\u200b)(?=<\/a>)/gi;

/** A page of HTML without the texts of such links. Other characters without width stay. */
const withoutBlankLinks = (path: string, text: string): string =>
  /\.html?$/i.test(path) ? text.replace(BLANK_LINK, '') : text;

function cautionOf(
  source: string,
  removed: number,
  { path, sections }: { readonly path: string; readonly sections: readonly Section[] },
): Pick<DocumentFacts, 'caution'> {
  const text = sections.map((section) => section.text).join('\n');
  const flags = findFlags(source, removed, { path, text });
  return flags.length > 0 ? { caution: { removed, flags } } : {};
}

/** Escapes in YAML and HTML can produce invisible characters, separators of lines, and half a surrogate pair, which JSON readers reject. */
const plain = (text: string): string => withoutSeparators(withoutInvisible(text.toWellFormed()));

/** Adds the kind of a page, unless the document or the manifest names one. Names stay in order. */
function withKind(
  { path, title, metadata }: Omit<DocumentFacts, 'trail'>,
  headings: readonly FoundHeading[],
  frontMatter: ParsedDocument['frontMatter'],
): DocumentFacts['metadata'] {
  const below = headings.filter(({ parent, level }) => parent !== null || level > 1);
  const isDated = DATES.some((key) => key in frontMatter);
  const kind = pageKind({ path, title, isDated, headings: below });
  if (kind === null || KIND_KEY in metadata) return metadata;
  const entries = Object.entries({ ...metadata, [KIND_KEY]: kind });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const charsOf = (sections: readonly SplitSection[]): number =>
  sections.reduce((sum, { title, text }) => sum + title.length + text.length, 0);

const plainHeading = (heading: FoundHeading): FoundHeading => ({ ...heading, title: plain(heading.title) });

/** A section as it is stored: its final texts, and what they consist of. */
function readable(section: SplitSection): Section {
  const { title, headingPath, text: written } = section;
  const text = plain(written);
  const structure = readStructure(text);
  return { ...section, title: plain(title), headingPath: headingPath.map(plain), text, structure };
}

/** Builds the graph of one document from its sections. */
export function graphOf(
  headings: readonly FoundHeading[],
  sections: readonly Section[],
  { tagLinks = [], anchors = [] }: Partial<Pick<SectionedDocument, 'tagLinks' | 'anchors'>> = {},
): DocumentGraph {
  const written = findLinks(sections);
  const isSeeAlso = (section: number): boolean =>
    sections[section]?.headingPath.some(isSeeAlsoTitle) ?? false;
  const known = new Set(written.map(({ section, href }) => `${section} ${href}`));
  const others = new Map(tagLinks.map((link) => [`${link.section} ${link.href}`, link]));
  const added = [...others].flatMap(([key, link]) =>
    known.has(key) ? [] : [{ ...link, isSeeAlso: isSeeAlso(link.section) }],
  );
  return {
    headings,
    links: [...written, ...added],
    mentions: findMentions(sections),
    steps: findSteps(sections),
    anchors,
  };
}
