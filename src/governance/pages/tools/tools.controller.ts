import { Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { AdminController, HtmlPage } from '../../../admin/admin.guard.js';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { parseQuery } from '../../../admin/admin-query.js';
import { card } from '../../../admin/views/card.js';
import { type Html, html, type Part, timeAt } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { type PageColumn, table } from '../../../admin/views/table.js';
import { Surface } from '../../../mcp/surface/surface.js';
import { GovernanceService } from '../../governance.service.js';
import { DefinitionStore, type StoredDefinition } from '../../registry/definition-store.js';
import type { RegisteredTool } from '../../registry/registered-tool.js';
import { ToolRegistry } from '../../registry/tool-registry.js';

/** A tool of the registry, with the facts of this server. */
interface ToolRow {
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
    lead: html`Every tool that this server knows, and the agents that are offered it. Policy rules about
      documents, times and principals may still deny single calls:
      <a href="/admin/policy">explain a call</a>.`,
    content: html`${card(
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

/** The page about the registry of tools. */
@AdminController('admin')
export class ToolsPageController {
  @Inject(DefinitionStore)
  private readonly definitions: DefinitionStore | null = null;

  constructor(
    private readonly server: ServerFacts,
    private readonly registry: ToolRegistry,
    private readonly governance: GovernanceService,
    private readonly surface: Surface,
  ) {}

  @HtmlPage('tools')
  tools(): string {
    const { governance, surface } = this;
    const rows = this.registry.all().map((tool) => ({
      tool,
      isOn: surface.tools.get(tool.name)?.isOn === true,
      hasHistory: this.definitions !== null,
      agents: governance.agentsOffered(tool.name),
    }));
    return toolsPage(rows, governance.aliases, this.server.frame);
  }
}

function factsOf({ facts }: StoredDefinition): Html {
  const parsed: unknown = JSON.parse(facts);
  return html`<details>
    <summary>Show</summary>
    <pre tabindex="0"><bdi>${JSON.stringify(parsed, null, 2)}</bdi></pre>
  </details>`;
}

const VERSION_COLUMNS: readonly PageColumn<StoredDefinition>[] = [
  { name: 'Version', isHead: true, cell: ({ version }) => html`<bdi class="id">${version}</bdi>` },
  { name: 'First start with it', cell: ({ firstSeen }) => timeAt(firstSeen) },
  { name: 'Last start with it', cell: ({ lastSeen }) => timeAt(lastSeen) },
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
      <div class="card">
        ${table({ caption: 'Last used first', rows: definitions, columns: VERSION_COLUMNS })}
      </div>`,
  });
}

const querySchema = z.strictObject({ name: z.string().min(1).max(256) });

/** The page about the definitions that a tool has had. */
@AdminController('admin/tools/history')
export class ToolHistoryController {
  constructor(
    private readonly server: ServerFacts,
    @Inject(DefinitionStore) private readonly store: DefinitionStore | null,
  ) {}

  @HtmlPage()
  async history(@Query() given: unknown): Promise<string> {
    const { name } = parseQuery(querySchema, given);
    const definitions = await this.store?.history(name);
    if (!definitions || definitions.length === 0)
      throw new AdminFailure(
        'NOT_FOUND',
        'No definition of this tool is stored.',
        'Servers with PITH_GOVERNANCE_FILE, PITH_DATABASE or PITH_GOVERNANCE_DATABASE store the definitions of their tools when they start.',
      );
    return toolHistoryPage(name, definitions, this.server.frame);
  }
}
