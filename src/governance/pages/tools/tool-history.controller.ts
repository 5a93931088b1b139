import { Controller, Get, Header, Inject, Query, UseFilters, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { AdminFilter } from '../../../admin/admin.filter.js';
import { AdminGuard } from '../../../admin/admin.guard.js';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { parseQuery } from '../../../admin/admin-query.js';
import { type Html, html } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { type PageColumn, table } from '../../../admin/views/table.js';
import { formatTime } from '../../../diagnostics/report/format.js';
import { DefinitionStore, type StoredDefinition } from '../../registry/definition-store.port.js';

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

const querySchema = z.strictObject({ name: z.string().min(1).max(256) });

/** The page about the definitions that a tool has had. */
@Controller('admin/tools/history')
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class ToolHistoryController {
  constructor(
    private readonly server: ServerFacts,
    @Inject(DefinitionStore) private readonly store: DefinitionStore | null,
  ) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  async history(@Query() given: unknown): Promise<string> {
    const { name } = parseQuery(querySchema, given);
    const definitions = await this.store?.history(name);
    if (!definitions || definitions.length === 0)
      throw new AdminFailure(
        'NOT_FOUND',
        'No definition of this tool is stored.',
        'Servers with PITH_GOVERNANCE_FILE or PITH_GOVERNANCE_DATABASE store the definitions of their tools when they start.',
      );
    return toolHistoryPage(name, definitions, this.server.frame);
  }
}
