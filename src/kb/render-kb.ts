import { skippedText } from '../core/reply.js';
import type { EvidenceOutput, RetrievedEvidence } from './evidence.schemas.js';
import type { ExcerptOutput } from './excerpt.schemas.js';
import type { SearchOutput } from './search.schemas.js';

function lines(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join('\n');
}

export function searchText(output: SearchOutput): string {
  const items = output.results.map(
    ({ rank, title, section_id, preview, passage_id }) =>
      `${rank}. ${title} (${section_id})\n   ${preview}\n   passage_id: ${passage_id}`,
  );
  return lines(
    ...items,
    skippedText(output.skipped),
    output.hint,
    output.next_cursor !== null && `More results: cursor ${output.next_cursor}`,
    output.degraded && `Unavailable: ${output.degraded.join(', ')}.`,
  );
}

export function searchSummary(output: SearchOutput): string {
  const { results, hint, next_cursor } = output;
  if (results.length === 0) return hint ?? 'No further results.';
  return `${results.length} results${next_cursor === null ? '' : ', more with next_cursor'}; best: ${results[0]?.section_id}.`;
}

/** Closes a code fence that a quote opens, so that the text after it does not become code. */
function withClosedFences(quote: string): string {
  const fences = quote.match(/^[ \t>]*(?:`{3,}|~{3,})/gm) ?? [];
  return fences.length % 2 === 0 ? quote : `${quote}\n${fences[0]?.replace(/^[ \t>]*/, '')}`;
}

/** The quotes with the numbers of their sources, then the list of sources. */
export function evidenceText(output: EvidenceOutput & Partial<RetrievedEvidence>): string {
  const numberOf = new Map(output.sources.map(({ section_id }, i) => [section_id, i + 1]));
  const passageOf = new Map(output.quotes.map(({ section_id, passage_id }) => [section_id, passage_id]));
  const quotes = output.quotes.map(
    ({ quote, section_id }) => `[${numberOf.get(section_id)}] ${withClosedFences(quote)}`,
  );
  // The headings above a section are in its id.
  const sources = output.sources.map(({ section_id, url }, i) =>
    [`[${i + 1}]`, section_id, ...(url ? [`(${url})`] : []), passageOf.get(section_id)].join(' '),
  );
  return lines(
    ...quotes,
    quotes.length > 0 ? `\nSources, with passage_id:\n${sources.join('\n')}` : 'No matching sentence found.',
    output.hint,
    output.degraded && `Unavailable: ${output.degraded.join(', ')}.`,
  );
}

export function evidenceSummary(output: EvidenceOutput & Partial<RetrievedEvidence>): string {
  const { quotes, sources, answerable, hint } = output;
  const verdict = answerable === undefined ? '' : ` Answer: ${answerable}.`;
  return lines(`${quotes.length} quotes from ${sources.length} sections.${verdict}`, hint);
}

export function excerptText(output: ExcerptOutput): string {
  const { excerpt, citation, next_start_char } = output;
  return lines(
    excerpt,
    citation && `\n${citation.title} (${citation.section_id})`,
    next_start_char !== null && `Continues at start_char ${next_start_char}.`,
  );
}

export function excerptSummary(output: ExcerptOutput): string {
  const { start_char, end_char, next_start_char } = output;
  const more = next_start_char === null ? 'end of passage' : 'more follows';
  return `Characters ${start_char} to ${end_char}, ${more}.`;
}
