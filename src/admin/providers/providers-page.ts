import { timeAt } from '../approvals/approval-state.js';
import { card } from '../views/card.js';
import { html } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { seen, seenName } from '../views/seen.js';
import { type PageColumn, table } from '../views/table.js';
import { connectionMark, failurePart, placeText, type ProviderView, toolCounts } from './provider-view.js';

const COLUMNS: readonly PageColumn<ProviderView>[] = [
  {
    name: 'Provider',
    isHead: true,
    cell: ({ name }) => html`<a href="/admin/providers/${name}">${seenName(name)}</a>`,
  },
  { name: 'Connection', cell: connectionMark },
  { name: 'Since', cell: ({ since }) => timeAt(since) },
  { name: 'Tools', cell: ({ pins }) => toolCounts(pins) },
  { name: 'Program or URL', cell: ({ transport }) => seen(placeText(transport)) },
  { name: 'Last failure', isWide: true, cell: failurePart },
];

/** The external servers of the governance file. */
export function providersPage(providers: readonly ProviderView[], frame: Frame): string {
  const content =
    providers.length === 0
      ? html`<p class="empty">
          The governance file of this server names no providers. To add one, see
          <code>docs/providers.md</code>.
        </p>`
      : card(
          'providers',
          'External servers',
          table({ caption: 'Providers by name', isCaptionHidden: true, rows: providers, columns: COLUMNS }),
        );
  return page({
    title: 'Providers',
    place: '/admin/providers',
    frame,
    content: html`<h1>Providers</h1>
      <p class="lead">
        Other MCP servers whose tools this server offers. A tool can be called after an operator has accepted
        its definition, until the definition changes. Open a provider to see its tools and accept definitions.
      </p>
      ${content}`,
  });
}
