import { type Call, Decisions, newTrace, UNCORRELATED } from '../../core/call.js';
import { GENERIC_PROFILE } from '../../core/host-profile.js';
import type { SectionIndex } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { decodePath, pagePath } from '../../core/section-id.js';
import { retrieveInput } from '../../kb/evidence.schemas.js';
import type { EvidenceService } from '../../kb/evidence/evidence.service.js';
import { clipText, wholeOffset } from '../../text/span.js';
import type { GapAnswer } from './gap.js';
import { type KeptQuestion, MAX_KEYWORD, MAX_KEYWORDS, type NearSection } from './question.js';
import { textHash } from './question-recorder.js';

/** Time for asking one question (ms). */
const PATIENCE_MS = 20_000;
const MAX_QUOTE = 500;

const NOBODY: Call['caller'] = {
  ...{ principal: 'pith', sessionId: '', agent: 'pith', permissions: ['read'], tools: null, scopeLimit: {} },
  ...{ allowance: {}, memoryTag: null, host: GENERIC_PROFILE, isLocal: true, isOperator: false },
};

/** The call of a question that nobody waits for. It stores no passages. @param at  milliseconds since the epoch */
export const ownCall = (scope: Scope, at: number): Call => ({
  ...{ id: 'gaps', caller: NOBODY, namedRun: null, scope, correlation: UNCORRELATED },
  signal: AbortSignal.timeout(PATIENCE_MS),
  now: () => at,
  elapsed: () => performance.now(),
  decisions: new Decisions(),
  trace: { ...newTrace(), degraded: ['scratch'] },
});

/** The answer to a question that was asked again. */
export interface SecondAnswer {
  /** By how much the confidence that the documents answer it is more than before, -1 to 1. */
  readonly rise: number;
  /** Confidence of the best quote from new text, 0 to 1; 0 if there is none. */
  readonly newConfidence: number;
  /** The surest quote that counts, or else the first from changed text; null if there is none. */
  readonly quote: GapAnswer | null;
}

/** When questions that were asked again count as answered: docs/gaps.md has how it was chosen. */
const ANSWERED_FROM = 0.79;

/** True if new text answers the questions of a gap. */
export function areAnswered(answers: readonly SecondAnswer[]): boolean {
  const sum = answers.reduce((total, { newConfidence, rise }) => total + newConfidence + rise, 0);
  return answers.length > 0 && sum / answers.length >= ANSWERED_FROM;
}

/** The quote from new text of the answer that has become surest; null if there is none. */
export function newQuote(answers: readonly SecondAnswer[]): GapAnswer | null {
  const found = answers.filter(({ quote }) => quote !== null).sort((a, b) => b.rise - a.rise);
  return found[0]?.quote ?? null;
}

/** By how much confidence has to rise before a section that was near the question, and has changed since, counts as new. */
const CHANGED_FROM = 0.05;

/** Asks questions again, and looks for the quotes that answered them. */
export class GapAsker {
  constructor(
    private readonly evidence: EvidenceService,
    private readonly index: SectionIndex,
  ) {}

  /** @param near  the sections that were near the question when it was asked first */
  async ask(question: KeptQuestion, near: readonly NearSection[], at: number): Promise<SecondAnswer> {
    const { scope, text } = question;
    // Earlier versions kept longer ones.
    const keywords = question.keywords.slice(0, MAX_KEYWORDS).map((word) => clipText(word, MAX_KEYWORD));
    const { output, confidence } = await this.retrieve(scope, { question: text, keywords }, at);
    const rise = confidence - question.confidence;
    const origin = await this.origins(scope, output.quotes, near);
    const fresh = output.quotes.filter(({ section_id: id }) => origin(id) !== 'known');
    const counted = fresh.filter(({ section_id: id }) => origin(id) === 'new' || rise >= CHANGED_FROM);
    const [surest] = [...counted].sort((a, b) => b.confidence - a.confidence);
    const newConfidence = surest?.confidence ?? 0;
    const taken = surest ?? fresh[0];
    if (!taken) return { rise, newConfidence, quote: null };
    const { section_id: sectionId, quote } = taken;
    const source = output.sources.find(({ section_id: id }) => id === sectionId);
    const title = source?.title.split(' > ').at(-1) ?? '';
    const path = decodePath(pagePath(sectionId));
    const cut = quote.slice(0, wholeOffset(quote, MAX_QUOTE));
    return { rise, newConfidence, quote: { sectionId, path, title, quote: cut } };
  }

  /** That the documents answer a question, 0 to 1. */
  async confidence(scope: Scope, question: string, at: number): Promise<number> {
    return (await this.retrieve(scope, { question }, at)).confidence;
  }

  private async retrieve(scope: Scope, given: Readonly<Record<string, unknown>>, at: number) {
    const input = retrieveInput.parse({ ...given, options: { include_debug: true } });
    const { output } = await this.evidence.retrieve(ownCall(scope, at), input);
    return { output, confidence: Number(output.debug?.['confidence'] ?? 0) };
  }

  /** Compares sections with those that were near a question before. The text of a page that was moved or renamed is known. */
  private async origins(
    scope: Scope,
    quotes: readonly { readonly section_id: string }[],
    near: readonly NearSection[],
  ): Promise<(id: string) => 'known' | 'changed' | 'new'> {
    const ids = quotes.map(({ section_id }) => section_id);
    const { sections } = await this.index.sections(scope, ids);
    const texts = new Map(sections.map(({ section }) => [section.id, textHash(section.text)]));
    const before = new Set(near.map(([id]) => id));
    const hashes = new Set<string | undefined>(near.map(([, hash]) => hash));
    return (id) => {
      if (!texts.has(id) || hashes.has(texts.get(id))) return 'known';
      return before.has(id) ? 'changed' : 'new';
    };
  }

  /** True if a quote is in the documents. */
  async isQuoted(scope: Scope, { quote, path }: GapAnswer): Promise<boolean> {
    const { found, isComplete } = await this.index.quoting(scope, { text: quote, path });
    return found !== null || !isComplete;
  }
}
