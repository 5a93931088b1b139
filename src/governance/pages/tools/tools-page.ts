import { card } from '../../../admin/views/card.js';
import { type Html, html, type Part } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { type PageColumn, table } from '../../../admin/views/table.js';
import type { RegisteredTool } from '../../registry/registered-tool.js';

/** A tool of the registry, with the facts of this server. */
export interface ToolRow {
  readonly tool: RegisteredTool;
  /** False if a setting turns it off. */
  readonly isOn: boolean;
  /** True if this server stores definitions of tools. */
  readonly hasHistory: boolean;
  /** Names of the agents that are offered the tool. */
  readonly agents: readonly string[];
}

/** The address of the page about earlier definitions of a tool. */
const historyAddress = (name: string): string =>
  `/admin/tools/history?${new URLSearchParams({ name }).toString()}`;

const ids = (names: readonly string[], none: string): Part =>
  names.length === 0
    ? html`<em>${none}</em>`
    : names.map((name, i) => html`${i > 0 && ', '}<bdi class="id">${name}</bdi>`);

function nameCell({ tool, isOn, hasHistory }: ToolRow): Html {
  const name = html`<bdi class="id">${tool.name}</bdi>`;
  return html`${hasHistory ? html`<a href="${historyAddress(tool.name)}">${name}</a>` : name}${
      !isOn && html` <span class="tag">off</span>`
    } <small><bdi>${tool.title}</bdi></small>`;
}

const COLUMNS: readonly PageColumn<ToolRow>[] = [
  { name: 'Tool', isHead: true, isWide: true, cell: nameCell },
  { name: 'Provider', cell: ({ tool }) => html`<bdi>${tool.provider}</bdi>` },
  { name: 'Version', cell: ({ tool }) => html`<bdi>${tool.version}</bdi>` },
  { name: 'Safety', cell: ({ tool }) => tool.safety },
  { name: 'Permission', cell: ({ tool }) => tool.permission },
  { name: 'Capabilities', cell: ({ tool }) => ids(tool.capabilities, 'all') },
  {
    name: 'Approval',
    cell: ({ tool }) => tool.approval && html`<bdi class="id">${tool.approval}</bdi>`,
  },
  { name: 'Agents', cell: ({ agents }) => ids(agents, 'none') },
];

/** The registry of tools. */
export function toolsPage(
  rows: readonly ToolRow[],
  aliases: ReadonlyMap<string, string>,
  frame: Frame,
): string {
  const others = [...aliases].map(
    ([alias, tool]) => html`<li><bdi class="id">${alias}</bdi> means <bdi class="id">${tool}</bdi></li>`,
  );
  return page({
    title: 'Tools',
    place: '/admin/tools',
    frame,
    content: html`<h1>Tools</h1>
      <p class="lead">
        Every tool that this server knows, and the agents that are offered it. Policy rules about documents,
        times and principals may still deny single calls: <a href="/admin/policy">explain a call</a>.
      </p>
      ${card(
        'tools',
        'Registry',
        table({
          caption: 'Tools, those of this server first',
          isCaptionHidden: true,
          rows,
          columns: COLUMNS,
        }),
      )}
      ${
        others.length > 0 &&
        card(
          'aliases',
          'Aliases',
          html`<ul>
            ${others}
          </ul>`,
        )
      }`,
  });
}
