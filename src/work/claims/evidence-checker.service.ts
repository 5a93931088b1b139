import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { StoredSection } from '../../core/ports/section-index.port.js';
import type { DocumentFacts } from '../../core/section.js';
import { noteOrigin } from '../../mcp/rendering/cautious-text.js';
import { PassagesService } from '../../scratch/passages.service.js';
import { findReadQuote } from '../../text/quotes/find-quote.js';
import type { Span } from '../../text/span.js';
import { queryTerms } from '../../text/terms/search-terms.js';
import type { Evidence, NewEvidence } from './claim.js';
import { MAX_QUOTE_LENGTH, type PieceInput } from './claims.schemas.js';
import { QuoteVerifierService } from './quote-verifier.service.js';

/** Hexadecimal digits of the id of a piece. */
const ID_LENGTH = 24;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Checks that the quotes of a caller are in the documents, and makes pieces of evidence of them. */
@Injectable()
export class EvidenceCheckerService {
  constructor(
    private readonly quotes: QuoteVerifierService,
    private readonly passages: PassagesService,
  ) {}

  /**
   * Quotes may differ from their section in white space, and are stored as the section has them, with whole words.
   * @returns in the order given
   * @throws InvalidArgumentError `quote_not_found`, also if the section is unknown or outside the scope,
   *   `quote_without_words`, `passage_not_found`, `passage_of_corpus`; BackendUnavailableError
   */
  async check(call: Call, pieces: readonly PieceInput[]): Promise<NewEvidence[]> {
    const ids: string[] = [];
    for (const [i, { section_id, passage_id = '' }] of pieces.entries())
      ids.push(section_id ?? (await this.sectionOf(call, passage_id, i + 1)));
    const sections = await this.quotes.sectionsOf(call, [...new Set(ids)]);
    return pieces.map((piece, i) => {
      const stored = sections.get(ids[i] ?? '');
      const span = stored && placeOf(stored, piece);
      if (!stored || !span) throw notFound(i + 1);
      const evidence = evidenceOf(stored, span, piece);
      refuseUnreadable(evidence, i + 1);
      noteOrigin(call, stored.document, [stored.section.id]);
      return linked(call, evidence, stored.document);
    });
  }

  private async sectionOf(call: Call, passageId: string, number: number): Promise<string> {
    const { passage } = await this.passages.read(call, passageId);
    if (passage.corpus !== undefined) throw ofCorpus(passage.corpus, number);
    return passage.sectionId;
  }
}

/** The place of a quote that is nearest to where the caller says that it begins. */
function placeOf({ section }: StoredSection, { quote, start_char = 0 }: PieceInput): Span | undefined {
  const places = findReadQuote(section.text, quote);
  const distance = ({ start }: Span): number => Math.abs(start - start_char);
  return places.sort((a, b) => distance(a) - distance(b))[0];
}

function evidenceOf({ section, document }: StoredSection, { start, end }: Span, piece: PieceInput): Evidence {
  const { path, docTag, repository, allow } = document;
  return {
    sectionId: section.id,
    start,
    end,
    quote: section.text.slice(start, end),
    sectionHash: sha256(section.text),
    ...{ path, docTag, repository, stance: piece.stance },
    ...(allow ? { allow } : {}),
  };
}

/** @throws InvalidArgumentError `quote_without_words` */
function refuseUnreadable({ quote }: Evidence, number: number): void {
  if (queryTerms(quote).length === 0 || quote.length > MAX_QUOTE_LENGTH)
    throw new InvalidArgumentError(`Quote ${number} has no words, or is too long in its section.`, {
      reason: 'quote_without_words',
      hint: 'Quote one or a few whole sentences, so that they can be found again.',
      details: { quote: number },
    });
}

function linked(call: Call, evidence: Evidence, { artifact }: DocumentFacts): NewEvidence {
  const id = sha256(JSON.stringify(evidence)).slice(0, ID_LENGTH);
  const { principal: addedBy } = call.caller;
  return { ...evidence, id, addedBy, ...(artifact === undefined ? {} : { artifact }) };
}

function ofCorpus(corpus: string, number: number): InvalidArgumentError {
  const message = `Quote ${number} is of the corpus ${corpus}, but claims rest on the index of this server.`;
  return new InvalidArgumentError(message, {
    reason: 'passage_of_corpus',
    hint: 'Quote the documents of this server: call kb.retrieve_evidence.',
    details: { quote: number, corpus },
  });
}

function notFound(number: number): InvalidArgumentError {
  return new InvalidArgumentError(`Quote ${number} is not in this section.`, {
    reason: 'quote_not_found',
    hint:
      'Read the section with kb.read_excerpt and copy the quote from it, or call kb.retrieve_evidence. ' +
      'Sections of named corpora can not be quoted.',
    details: { quote: number },
  });
}
