import { Injectable } from '@nestjs/common';
import GithubSlugger from 'github-slugger';
import type { Call } from '../core/call.js';
import { SectionIndex, type SectionNeighbours } from '../core/ports/section-index.port.js';
import { type Fit, listReply, type Reply } from '../core/reply.js';
import type { Section } from '../core/section.js';
import { encodedId, encodePath, pagePath, sectionMetadata, sectionPage } from '../core/section-id.js';
import { noteOrigin } from '../mcp/rendering/cautious-text.js';
import { nearestPath } from '../scope/unknown-values.js';
import { clipText, wholeOffset } from '../text/span.js';
import { MAX_PATH_CHARS } from '../text/untrusted-text.js';
import { isImpossibleId, isLaterPart, malformedId, unknownId } from './chunk-id.js';
import { headingLine } from './delimited-text.js';
import { findSection, readOn } from './read-on.js';
import { GET_DOC_BYTES, type GetDocInput, type GetDocOutput } from './search-docs.schemas.js';

/** At the end of an id: the file is read on from there. */
const READ_ON = '..';

@Injectable()
export class GetDocService {
  constructor(private readonly index: SectionIndex) {}

  /**
   * Returns a section with its neighbours. The path of a file, without context, returns as much of the file as fits.
   * @throws InvalidArgumentError `chunk_id_invalid` or `chunk_not_found`; BackendUnavailableError
   */
  async get(call: Call, input: GetDocInput): Promise<Reply<GetDocOutput>> {
    const { chunk_id: chunkId, context, cursor, nearest } = input;
    const asked = cursor ?? chunkId;
    if (isImpossibleId(asked.replace(/\.\.$/, ''))) throw malformedId(asked);
    const exact = await findSection(call, this.index, { id: asked, context });
    const found =
      exact ??
      (asked.endsWith(READ_ON) ? await findSection(call, this.index, { id: asked.slice(0, -2) }) : null);
    if (!found) throw unknownId(asked, await this.nearest(call, pagePath(asked), nearest));
    const isFile = !exact || (context === 0 && isPathOf(found, asked));
    const shown = isFile
      ? await readOn(call, this.index, { first: found, replyBytes: GET_DOC_BYTES })
      : found;
    for (const { section } of shown.sections) noteOrigin(call, shown.document, [section.id]);
    const chunks = toChunks(shown);
    const longest = Math.max(...chunks.map(({ text }) => text.length));
    return listReply({ count: chunks.length, maxChars: longest, needsFirst: true }, (fit) =>
      build(chunks, isFile ? shown.document.title : null, fit),
    );
  }

  private async nearest(call: Call, path: string, ids: GetDocInput['nearest']): Promise<string | null> {
    if (!ids) return nearestPath(call, this.index, path);
    for (const id of ids) if (await findSection(call, this.index, { id })) return id;
    return null;
  }
}

const isPathOf = ({ document: { path } }: SectionNeighbours, id: string): boolean =>
  id === path || encodedId(id) === encodePath(path);

/** The anchor of a heading that declares one, or whose site makes it by rules of its own. */
function ownAnchor(section: Section): { readonly anchor?: string } {
  const { anchor, title } = section;
  const isUsual = !anchor || anchor === GithubSlugger.slug(title);
  return isUsual || isLaterPart(section) || sectionPage(section) !== undefined ? {} : { anchor };
}

function toChunks({ sections, target, total, document }: SectionNeighbours): GetDocOutput['chunks'] {
  return sections.map(({ section, position }, i) => ({
    chunk_id: section.id,
    position,
    total,
    relation: i === target ? 'target' : 'context',
    offset: i - target,
    heading: headingLine(section),
    ...ownAnchor(section),
    text: section.text,
    filepath: clipText(document.path, MAX_PATH_CHARS),
    metadata: sectionMetadata(section, document),
  }));
}

/** Keeps the chunks nearest to the target; of two at the same distance, the following one. Then truncates texts. */
function build(
  chunks: GetDocOutput['chunks'],
  /** Of the file that is read; null if a section is. */
  title: string | null,
  { count, maxChars, reason }: Fit,
): GetDocOutput {
  const [first] = chunks;
  const byDistance = [...chunks].sort(
    (a, b) => Math.abs(a.offset) - Math.abs(b.offset) || b.offset - a.offset,
  );
  const kept = new Set(byDistance.slice(0, count));
  const next = title === null ? undefined : chunks[count];
  const isUntitled = title !== null && first?.position === 1 && first.heading !== `# ${title}`;
  return {
    chunks: chunks
      .filter((chunk) => kept.has(chunk))
      .map((chunk) =>
        chunk.text.length <= maxChars
          ? chunk
          : { ...chunk, text: chunk.text.slice(0, wholeOffset(chunk.text, maxChars)) },
      ),
    partial: reason !== null,
    limit_reason: reason ?? 'none',
    ...(isUntitled ? { title: clipText(title, MAX_PATH_CHARS) } : {}),
    ...(next ? { next_cursor: next.chunk_id + READ_ON } : {}),
  };
}
