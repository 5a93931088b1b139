import { AdminController, HtmlPage, SignedIn } from '../../admin/admin.guard.js';
import { ServerFacts } from '../../admin/admin-parts.js';
import { notOfferedPage } from '../../admin/pages/failure-page.js';
import { html, type Part, seen, seenName, timeAt } from '../../admin/views/html.js';
import { type Frame, page } from '../../admin/views/layout.js';
import { listTable, type PageColumn } from '../../admin/views/table.js';
import { readSourceLine } from '../../core/ports/index-source.js';
import { formatCount } from '../../diagnostics/report/format.js';
import type { Principal } from '../../mcp/principals.js';
import { ScopeService } from '../../scope/scope.service.js';
import { projectOf, refuseGroups, seesAll } from '../work-space.js';
import { CorpusStore, MAX_CORPORA, type NamedCorpus } from './corpus-store.js';
import { NO_GROUPS } from './knowledge.service.js';

/** The corpora, as far as an operator may see them. */
interface CorpusRows {
  /** By name. */
  readonly corpora: readonly NamedCorpus[];
  /** False for an operator who may see only some of the documents. */
  readonly hasCounts: boolean;
}

function sourceText({ source: stored }: NamedCorpus): Part {
  const source = readSourceLine(stored);
  if (source.kind === 'folder') return html`folder ${seenName(source.path)}`;
  const { manifestSha256, pointer } = source;
  const named =
    pointer && html` (${seenName(`${pointer.namespace}/${pointer.name}`)}, version ${pointer.version})`;
  return html`manifest ${seenName(manifestSha256)}${named}`;
}

const COUNTS: readonly PageColumn<NamedCorpus>[] = [
  { name: 'Documents', isNumber: true, cell: ({ documents }) => formatCount(documents) },
  { name: 'Sections', isNumber: true, cell: ({ sections }) => formatCount(sections) },
];

const columnsFor = (hasCounts: boolean): readonly PageColumn<NamedCorpus>[] => [
  { name: 'Name', isHead: true, cell: ({ name }) => seenName(name) },
  {
    name: 'Description',
    isWide: true,
    cell: ({ description }) => (description === '' ? null : html`<bdi>${seen(description)}</bdi>`),
  },
  { name: 'Source', isWide: true, cell: sourceText },
  ...(hasCounts ? COUNTS : []),
  { name: 'Made by', cell: ({ createdBy }) => seenName(createdBy) },
  { name: 'Made', cell: ({ createdAt }) => timeAt(createdAt) },
];

/** The named corpora of the project and environment of the server. */
export function corporaPage({ corpora, hasCounts }: CorpusRows, frame: Frame): string {
  const columns = columnsFor(hasCounts);
  const list = listTable({ caption: 'By name', rows: corpora, columns, empty: 'There are no corpora.' });
  return page({
    title: 'Corpora',
    place: '/admin/corpora',
    frame,
    lead: 'Documents that agents index under a name, apart from the index of the server.',
    content: html`<div class="card">${list}</div>`,
  });
}

/** The page about named corpora. */
@AdminController('admin/corpora')
export class CorporaController {
  constructor(
    private readonly server: ServerFacts,
    private readonly store: CorpusStore,
    private readonly scopes: ScopeService,
  ) {}

  @HtmlPage()
  async list(@SignedIn() operator: Principal): Promise<string> {
    const { frame, config, now } = this.server;
    if (!config.domains.offered.includes('knowledge'))
      return notOfferedPage({ title: 'Corpora', place: '/admin/corpora', domain: 'knowledge' }, frame);
    const scope = await this.scopes.beforeDocuments(now(), operator.scope);
    refuseGroups({ scope }, NO_GROUPS);
    const corpora = await this.store.list(projectOf({ scope }), { offset: 0, limit: MAX_CORPORA });
    return corporaPage({ corpora, hasCounts: seesAll(scope) }, frame);
  }
}
