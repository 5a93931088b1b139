import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { factsWithin } from '../../core/corpus-facts.js';
import {
  type Candidate,
  NO_FILTER,
  type SearchAnswer,
  SectionIndex,
} from '../../core/ports/section-index.port.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../../core/reply.js';
import { scopeAllows } from '../../core/scope.js';
import { encodePath } from '../../core/section-id.js';
import { planQuery } from '../../kb/search/plan-query.js';
import { noteOrigin } from '../../mcp/rendering/cautious-text.js';
import { clipText, wholeOffset } from '../../text/span.js';
import { queryTerms } from '../../text/terms/search-terms.js';
import { DocumentSourceService } from './document-source.service.js';
import type { Classification, ClassifyDocumentInput } from './documents.schemas.js';
import type { LabelledPassages, LabelTask, ScoredLabel } from './label-passages.js';
import { citationOf, type ReadDocument, showDocument, titlesOf } from './read-document.js';
import { TextReader } from './text-reader.js';

/** Similar documents that vote. */
const VOTERS = 10;
/** Values of a facet that are listed. */
const MAX_VALUES = 3;
/** Similar documents that are named for a value. */
const MAX_SIMILAR = 3;
/** More of a document makes the search slower, and hardly better. */
const MAX_QUERY_CHARS = 2_000;

/** The title, the headings and the beginning of a document, as a question. */
function likenessQuery({ facts, outline, sections }: ReadDocument): string {
  const titles = [...new Set(titlesOf({ facts, outline }))].join('\n');
  const half = MAX_QUERY_CHARS / 2;
  const texts = clipText(sections.map(({ text }) => clipText(text, half)).join('\n'), MAX_QUERY_CHARS);
  return clipText(`${clipText(titles, half)}\n${texts}`, MAX_QUERY_CHARS);
}

const valueOf = ({ document }: Candidate, facet: string): string | undefined =>
  facet === 'doc_tag' ? document.docTag : document.metadata[facet];

/**
 * Lets the most similar documents vote for their values. The score of a value is its share of the scores of those that
 * have the facet.
 * @param candidates  best first, one per document, without the document itself
 */
function scoreFacets(
  facets: readonly string[],
  candidates: readonly Candidate[],
  { sectionCount, documentFrequency }: Pick<SearchAnswer, 'sectionCount' | 'documentFrequency'>,
): ScoredLabel[] {
  const voters = candidates.slice(0, VOTERS);
  const weightOf = (term: string): number => {
    const found = documentFrequency[term] ?? 0;
    return found > 0 ? Math.log(1 + sectionCount / found) : 0;
  };
  return facets.flatMap((facet) => {
    const voting = voters.filter((each) => valueOf(each, facet) !== undefined);
    const total = voting.reduce((sum, { score }) => sum + score, 0);
    const values = [...new Set(voting.flatMap((each) => valueOf(each, facet) ?? []))];
    return values
      .map((label) => {
        const own = voting.filter((each) => valueOf(each, facet) === label);
        const score = total > 0 ? own.reduce((sum, each) => sum + each.score, 0) / total : 0;
        const terms = new Set(own.flatMap(({ section }) => queryTerms(`${section.title}\n${section.text}`)));
        const weights = new Map(Array.from(terms, (term) => [term, weightOf(term)] as const));
        return {
          facet,
          label,
          score,
          weights,
          similar: own.slice(0, MAX_SIMILAR).map((each) => each.document.path),
        };
      })
      .sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1))
      .slice(0, MAX_VALUES);
  });
}

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
