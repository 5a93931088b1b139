import { skippedText } from '../core/reply.js';
import { pagePath } from '../core/section-id.js';
import { openFence } from '../text/quotable/code-lines.js';
import { readableText } from '../text/quotable/readable-text.js';
import { NO_FENCE, type TextFence } from '../text/untrusted-text.js';
import type { Quote, QuotedEvidence } from './evidence.schemas.js';
import { groupBySource } from './evidence/evidence-reply.js';
import type { ExcerptOutput } from './excerpt.schemas.js';
import type { SearchOutput } from './search.schemas.js';

/** Marks text that is left out. */
const GAP = '[…]';

function lines(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join('\n');
}

export function searchText(output: SearchOutput, fence: TextFence = NO_FENCE): string {
  const items = output.results.map(
    ({ rank, title, section_id, preview, passage_id }) =>
      `${rank}. ${fence(section_id, `${title} (${section_id})\n   ${preview}`)}\n   passage_id: ${passage_id}`,
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

/**
 * Closes a code fence that a quote opens, so that the text after it does not become code. A gap is marked if the block
 * has a language, because a fence without one may also be the end of a block.
 */
function withClosedFences(quote: string): string {
  const open = openFence(quote);
  if (!open) return quote;
  const { prefix, marks, hasLanguage } = open;
  return [quote, ...(hasLanguage ? [prefix + GAP] : []), prefix + marks].join('\n');
}

/** Another section of the page above, without the path of the page: `…#use/both`. */
function shortName(sectionId: string): string {
  const page = pagePath(sectionId);
  return sectionId === page ? page.replace(/^.*(?=\/)/s, '…') : `…${sectionId.slice(page.length)}`;
}

/** The quotes of one section under a line with its ids. A section of the page above is named without its path. */
function groupText(
  quotes: readonly Quote[],
  { url, isSamePage, fence }: { url: string | undefined; isSamePage: boolean; fence: TextFence },
): string {
  const [first] = quotes;
  if (!first) return '';
  const { section_id, passage_id } = first;
  const name = isSamePage ? shortName(section_id) : section_id;
  // Sections of one document can be on different pages of it.
  const link = isSamePage ? /#page=\d+$/.exec(url ?? '')?.[0] : url;
  const line = ['##', name, ...(link ? [`(${link})`] : []), passage_id].join(' ');
  const text = quotes.map(({ quote }) => withClosedFences(readableText(quote))).join(`\n${GAP}\n`);
  return [line, fence(section_id, text)].join('\n');
}

/** The quotes, grouped by section, each group under its section id and passage id, as `readableText`. */
export function evidenceText(output: QuotedEvidence, fence: TextFence = NO_FENCE): string {
  const urlOf = new Map(output.sources.map(({ section_id, url }) => [section_id, url]));
  const groups = groupBySource(output.quotes, ({ section_id, start_char }) => ({
    sectionId: section_id,
    start: start_char,
  }));
  const pages = groups.map(([quote]) => pagePath(quote?.section_id ?? ''));
  const quotes = groups.map((group, i) =>
    groupText(group, {
      url: urlOf.get(group[0]?.section_id ?? ''),
      isSamePage: pages[i] === pages[i - 1],
      fence,
    }),
  );
  const notes = lines(output.hint, output.degraded && `Unavailable: ${output.degraded.join(', ')}.`);
  const isUnseen = output.answerable === undefined || output.answerable === 'unlikely';
  if (quotes.length === 0) return lines(isUnseen && 'No matching sentence found.', notes);
  return [...quotes, ...(notes === '' ? [] : [notes])].join('\n\n');
}

export function evidenceSummary(output: QuotedEvidence): string {
  const { quotes, sources, answerable, hint } = output;
  const verdict = answerable === undefined ? '' : ` Answer: ${answerable}.`;
  return lines(`${quotes.length} quotes from ${sources.length} sections.${verdict}`, hint);
}

const SHOWN_WHOLE = 'The passage is complete: all of it was already shown.';

export function excerptText(output: ExcerptOutput, fence: TextFence = NO_FENCE): string {
  const { passage_id, excerpt, citation, next_start_char } = output;
  const source = citation && `\n${citation.title} (${citation.section_id})`;
  if (excerpt === '') return SHOWN_WHOLE;
  return lines(
    fence(passage_id, lines(excerpt, source)),
    next_start_char !== null && `Continues at start_char ${next_start_char}.`,
  );
}

export function excerptSummary(output: ExcerptOutput): string {
  const { excerpt, start_char, end_char, next_start_char } = output;
  if (excerpt === '') return SHOWN_WHOLE;
  const more = next_start_char === null ? 'end of passage' : 'more follows';
  return `Characters ${start_char} to ${end_char}, ${more}.`;
}
