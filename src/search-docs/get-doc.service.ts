import { Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { SectionIndex, type SectionNeighbours } from '../core/ports/section-index.port.js';
import { type Fit, listReply, type Reply } from '../core/reply.js';
import { scopeAllows } from '../core/scope.js';
import { encodedId, encodePath, sectionMetadata } from '../core/section-id.js';
import { noteOrigin } from '../mcp/rendering/cautious-text.js';
import { nearestPath } from '../scope/unknown-values.js';
import { clipText, wholeOffset } from '../text/span.js';
import { MAX_PATH_CHARS } from '../text/untrusted-text.js';
import { isImpossibleId, malformedId, unknownId } from './chunk-id.js';
import { headingLine } from './delimited-text.js';
import { type GetDocInput, type GetDocOutput, MAX_CONTEXT } from './search-docs.schemas.js';

/** At the end of an id: the file is read on from there. */
const READ_ON = '..';
/** Characters of a file to read for one reply; more than fit into it. */
const MAX_READ_CHARS = 65_536;

@Injectable()
export class GetDocService {
  constructor(private readonly index: SectionIndex) {}

  /**
   * Returns a section with its neighbours. The path of a file, without context, returns as much of the file as fits.
   * @throws InvalidArgumentError `chunk_id_invalid` or `chunk_not_found`; BackendUnavailableError
   */
  async get(call: Call, { chunk_id: chunkId, context, cursor }: GetDocInput): Promise<Reply<GetDocOutput>> {
    const asked = cursor ?? chunkId;
    if (isImpossibleId(asked.replace(/\.\.$/, ''))) throw malformedId(asked);
    const exact = await this.find(call, asked, context);
    const found = exact ?? (asked.endsWith(READ_ON) ? await this.find(call, asked.slice(0, -2), 0) : null);
    if (!found) throw unknownId(asked, await nearestPath(call, this.index, asked.replace(/#.*$/s, '')));
    const isFile = !exact || (context === 0 && isPathOf(found, asked));
    const shown = isFile ? await this.readOn(call, found) : found;
    for (const { section } of shown.sections) noteOrigin(call, shown.document, [section.id]);
    const chunks = toChunks(shown);
    const longest = Math.max(...chunks.map(({ text }) => text.length));
    return listReply({ count: chunks.length, maxChars: longest, needsFirst: true }, (fit) =>
      build(chunks, isFile, fit),
    );
  }

  private async find(call: Call, id: string, context: number): Promise<SectionNeighbours | null> {
    call.signal.throwIfAborted();
    const found = await this.index.neighbours(call.scope, id, context);
    return found && scopeAllows(call.scope, found.document) ? found : null;
  }

  /** Adds the sections that follow in the file, up to more than a reply has room for. */
  private async readOn(call: Call, first: SectionNeighbours): Promise<SectionNeighbours> {
    const sections = [...first.sections];
    let chars = 0;
    for (;;) {
      const last = sections.at(-1);
      chars += last?.section.text.length ?? 0;
      if (!last || last.position >= first.total || chars > MAX_READ_CHARS) return { ...first, sections };
      const next = await this.find(call, last.section.id, MAX_CONTEXT);
      // Sections that were read before a new index was published are shown; reading on finds the new ones.
      if (next?.generation !== first.generation) return { ...first, sections };
      const following = next.sections.slice(next.target + 1);
      chars += following.slice(0, -1).reduce((sum, { section }) => sum + section.text.length, 0);
      sections.push(...following);
    }
  }
}

const isPathOf = ({ document: { path } }: SectionNeighbours, id: string): boolean =>
  id === path || encodedId(id) === encodePath(path);

function toChunks({ sections, target, total, document }: SectionNeighbours): GetDocOutput['chunks'] {
  return sections.map(({ section, position }, i) => ({
    chunk_id: section.id,
    position,
    total,
    relation: i === target ? 'target' : 'context',
    offset: i - target,
    heading: headingLine(section),
    text: section.text,
    filepath: clipText(document.path, MAX_PATH_CHARS),
    metadata: sectionMetadata(section, document),
  }));
}

/** Keeps the chunks nearest to the target; of two at the same distance, the following one. Then truncates texts. */
function build(
  chunks: GetDocOutput['chunks'],
  isFile: boolean,
  { count, maxChars, reason }: Fit,
): GetDocOutput {
  const byDistance = [...chunks].sort(
    (a, b) => Math.abs(a.offset) - Math.abs(b.offset) || b.offset - a.offset,
  );
  const kept = new Set(byDistance.slice(0, count));
  const next = isFile ? chunks[count] : undefined;
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
    ...(next ? { next_cursor: next.chunk_id + READ_ON } : {}),
  };
}
