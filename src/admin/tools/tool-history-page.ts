import type { StoredDefinition } from '../../core/ports/definition-store.port.js';
import { formatTime } from '../../diagnostics/report/format.js';
import { type Html, html } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { type PageColumn, table } from '../views/table.js';

function timeOf(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${formatTime(iso)}</time>`;
}

function factsOf({ facts }: StoredDefinition): Html {
  const parsed: unknown = JSON.parse(facts);
  return html`<details>
    <summary>Show</summary>
    <pre tabindex="0"><bdi>${JSON.stringify(parsed, null, 2)}</bdi></pre>
  </details>`;
}

const COLUMNS: readonly PageColumn<StoredDefinition>[] = [
  { name: 'Version', isHead: true, cell: ({ version }) => html`<bdi class="id">${version}</bdi>` },
  { name: 'First start with it', cell: ({ firstSeen }) => timeOf(firstSeen) },
  { name: 'Last start with it', cell: ({ lastSeen }) => timeOf(lastSeen) },
  { name: 'Provider', cell: ({ provider }) => html`<bdi>${provider}</bdi>` },
  {
    name: 'Schema hash',
    cell: ({ schemaHash }) => html`<bdi class="id" title="${schemaHash}">${schemaHash.slice(0, 12)}</bdi>`,
  },
  { name: 'Definition', isWide: true, cell: factsOf },
];

/** The definitions of a tool that servers had. */
export function toolHistoryPage(
  name: string,
  definitions: readonly StoredDefinition[],
  frame: Frame,
): string {
  return page({
    title: 'Definitions of a tool',
    place: '/admin/tools',
    frame,
    content: html`<h1>Definitions of <bdi class="id">${name}</bdi></h1>
      <p class="lead">
        Each version of the tool that a server started with, the last one first. Lines of the run ledger and
        approvals name the version.
      </p>
      <div class="card">${table({ caption: 'Last used first', rows: definitions, columns: COLUMNS })}</div>`,
  });
}
