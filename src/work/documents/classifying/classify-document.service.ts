import { Injectable } from '@nestjs/common';
import type { Call } from '../../../core/call.js';
import { factsWithin } from '../../../core/corpus-facts.js';
import { NO_FILTER, SectionIndex } from '../../../core/ports/section-index.port.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../../../core/reply.js';
import { scopeAllows } from '../../../core/scope.js';
import { encodePath } from '../../../core/section-id.js';
import { planQuery } from '../../../kb/search/plan-query.js';
import { noteOrigin } from '../../../mcp/rendering/refs-of.js';
import { wholeOffset } from '../../../text/clip-text.js';
import { DocumentSourceService } from '../source/document-source.service.js';
import { citationOf, type ReadDocument, showDocument, titlesOf } from '../source/read-document.js';
import { TextReader } from '../text-reader.port.js';
import type { Classification, ClassifyDocumentInput } from './classify-document.schemas.js';
import type { LabelledPassages, LabelTask } from './label-passages.js';
import { likenessQuery, scoreFacets } from './score-facets.js';
import type { ScoredLabel } from './score-labels.js';

/** Similar documents that are asked for; the document itself and rows outside the scope are left out. */
const CANDIDATES = 20;
/** Longest passage; its offsets are those of what is shown. */
const MAX_PASSAGE_CHARS = 600;

/** Classifies a document by given labels, or by those of similar indexed documents. */
@Injectable()
export class ClassifyDocumentService {
  constructor(
    private readonly source: DocumentSourceService,
    private readonly index: SectionIndex,
    private readonly reader: TextReader,
  ) {}

  /** @throws InvalidArgumentError for a bad source; BackendUnavailableError */
  async classify(call: Call, input: ClassifyDocumentInput): Promise<Reply<Classification>> {
    const document = await this.source.read(call, input);
    const { labels, passages } = input;
    const chosen = labels
      ? { given: labels }
      : { scored: await this.byNeighbours(call, document, input.facets ?? null) };
    const task: LabelTask = { titles: titlesOf(document), sections: document.sections, passages, ...chosen };
    const found = (await this.reader.run(call.caller.principal, task)) as LabelledPassages[];
    const shown = found.map((label) => ({
      ...label,
      score: Math.round(label.score * 10_000) / 10_000,
      similar: label.similar.map(encodePath),
    }));
    return listReply({ count: shown.length, maxChars: MAX_PASSAGE_CHARS }, (fit) => ({
      document: showDocument(document),
      method: labels ? 'words' : 'neighbours',
      labels: keptOf(shown, fit).map((label) => ({
        ...label,
        passages: label.passages.map(({ section, start, end }) => {
          const to = wholeOffset(section.text, Math.min(end, start + fit.maxChars));
          return {
            ...citationOf(section),
            start_char: start,
            end_char: to,
            text: section.text.slice(start, to),
          };
        }),
      })),
      partial: fit.reason !== null,
      limit_reason: fit.reason ?? 'none',
      ...shownSkipped(fit),
    }));
  }

  private async byNeighbours(
    call: Call,
    document: ReadDocument,
    wanted: readonly string[] | null,
  ): Promise<ScoredLabel[]> {
    const { scope, caller } = call;
    const { taxonomy } = factsWithin(await this.index.corpus(scope), caller.scopeLimit, scope);
    const known = ['doc_tag', ...taxonomy.map(({ key }) => key).filter((key) => key !== 'doc_tag')];
    const facets = known.filter((key) => wanted === null || wanted.includes(key));
    const text = likenessQuery(document);
    const { parts } = planQuery({ text, keywords: [], parts: [], rewrite: false });
    call.signal.throwIfAborted();
    const answer = await this.index.search({
      text,
      asked: parts[0].asked,
      rankedBy: 'both',
      scope,
      filter: NO_FILTER,
      limit: CANDIDATES,
      perDocument: 1,
    });
    const isItself = (path: string): boolean => document.origin === 'stored' && path === document.facts.path;
    const candidates = answer.candidates.filter(
      ({ document: found }) => scopeAllows(scope, found) && !isItself(found.path),
    );
    for (const { document: found } of candidates) noteOrigin(call, found, [encodePath(found.path)]);
    return scoreFacets(facets, candidates, answer);
  }
}
