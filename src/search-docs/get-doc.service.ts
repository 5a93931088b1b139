import { Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { SectionIndex, type SectionNeighbours } from '../core/ports/section-index.port.js';
import { type Fit, listReply, type Reply } from '../core/reply.js';
import { scopeAllows } from '../core/scope.js';
import { noteOrigin } from '../mcp/rendering/note-origin.js';
import { clipText, wholeOffset } from '../text/clip-text.js';
import { MAX_PATH_CHARS } from '../text/shown-fields.js';
import { isImpossibleId, malformedId, unknownId } from './chunk-id.js';
import { headingLine } from './delimited-text.js';
import type { GetDocInput, GetDocOutput } from './search-docs.schemas.js';

@Injectable()
export class GetDocService {
  constructor(private readonly index: SectionIndex) {}

  /** @throws InvalidArgumentError `chunk_id_invalid` or `chunk_not_found`; BackendUnavailableError */
  async get(call: Call, { chunk_id: chunkId, context }: GetDocInput): Promise<Reply<GetDocOutput>> {
    if (isImpossibleId(chunkId)) throw malformedId(chunkId);
    call.signal.throwIfAborted();
    const found = await this.index.neighbours(call.scope, chunkId, context);
    if (!found || !scopeAllows(call.scope, found.document)) throw unknownId(chunkId);
    for (const { section } of found.sections) noteOrigin(call, found.document, [section.id]);
    const chunks = toChunks(found);
    const longest = Math.max(...chunks.map(({ text }) => text.length));
    return listReply({ count: chunks.length, maxChars: longest, needsFirst: true }, (fit) =>
      build(chunks, fit),
    );
  }
}

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
    metadata: document.metadata,
  }));
}

/** Keeps the chunks nearest to the target; of two at the same distance, the following one. Then truncates texts. */
function build(chunks: GetDocOutput['chunks'], { count, maxChars, reason }: Fit): GetDocOutput {
  const byDistance = [...chunks].sort(
    (a, b) => Math.abs(a.offset) - Math.abs(b.offset) || b.offset - a.offset,
  );
  const kept = new Set(byDistance.slice(0, count));
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
  };
}
