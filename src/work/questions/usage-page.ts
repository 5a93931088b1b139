import { card, factList } from '../../admin/views/card.js';
import { type Html, html, seen, seenName, timeAt } from '../../admin/views/html.js';
import { type Frame, page } from '../../admin/views/layout.js';
import { listTable, type PageColumn } from '../../admin/views/table.js';
import { unusedCount } from './usage.js';
import type { UsageFacts } from './usage.service.js';

const asked = { name: 'Asked', isNumber: true, cell: (row: { readonly asked: number }) => row.asked };
const answered = {
  ...{ name: 'Answered', isNumber: true },
  cell: (row: { readonly answered: number }) => row.answered,
};
const share = {
  ...{ name: 'Share', isNumber: true },
  cell: (row: { readonly asked: number; readonly answered: number }) =>
    `${Math.round((100 * row.answered) / row.asked)} %`,
};

const WEEKS: readonly PageColumn<UsageFacts['weeks'][number]>[] = [
  { name: 'Week', isHead: true, cell: ({ week }) => timeAt(`${week}T00:00:00.000Z`) },
  ...[asked, answered, share],
];
const QUESTIONS: readonly PageColumn<UsageFacts['most_asked'][number]>[] = [
  {
    name: 'Question',
    isHead: true,
    isWide: true,
    cell: ({ question }) => html`<bdi>${seen(question)}</bdi>`,
  },
  ...[asked, answered],
];
const PAGES: readonly PageColumn<UsageFacts['pages'][number]>[] = [
  { name: 'Page', isHead: true, isWide: true, cell: ({ path }) => seenName(path) },
  answered,
];
const WORDS: readonly PageColumn<UsageFacts['words'][number]>[] = [
  { name: 'Word', isHead: true, cell: ({ word }) => seenName(word) },
  asked,
  {
    name: 'Beside it',
    isWide: true,
    cell: ({ synonyms }) => seen(synonyms.map(({ synonym }) => synonym).join(', ')),
  },
];
const UNUSED: readonly PageColumn<string>[] = [
  { name: 'Page', isHead: true, isWide: true, cell: (path) => seenName(path) },
];

function listCard<T>(
  id: string,
  title: string,
  list: { rows: readonly T[]; columns: readonly PageColumn<T>[] },
): Html {
  return card(id, title, listTable({ caption: title, empty: 'None.', ...list }));
}

/** The page of questions, of the pages that answer them, and of words that only people use. */
export function usagePage(facts: UsageFacts, frame: Frame): string {
  const { weeks, most_asked, pages, unused, words } = facts;
  return page({
    title: 'Usage',
    place: '/admin/gaps',
    frame,
    lead: 'What people ask, and what answers them.',
    content: html`${factList([
        ['Questions', facts.asked],
        ['Answered', facts.answered],
        ['Pages that answered none', unusedCount(unused)],
      ])}
      ${listCard('weeks', 'Answer rate by week', { rows: weeks.toReversed(), columns: WEEKS })}
      ${listCard('asked', 'Most asked', { rows: most_asked, columns: QUESTIONS })}
      ${listCard('pages', 'Pages that answer most', { rows: pages, columns: PAGES })}
      ${listCard('unused', 'Pages that answered none', { rows: unused.paths, columns: UNUSED })}
      ${listCard('words', 'Words that no document contains', { rows: words, columns: WORDS })}
      <p class="note">
        <code>pith gaps usage</code> tries the words beside them and suggests <code>synonyms</code> for
        <code>.pith.yaml</code>.
      </p>`,
  });
}
