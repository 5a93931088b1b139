import { AdminController, HtmlPage, SignedIn } from '../../../admin/admin.guard.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { notOfferedPage } from '../../../admin/pages/failure-page.js';
import type { Principal } from '../../../mcp/principals.js';
import type { ScopeService } from '../../../scope/scope.service.js';
import { type CorpusStore, MAX_CORPORA } from '../../corpora/corpus-store.port.js';
import { projectOf } from '../../project-of.js';
import { corporaPage } from './corpora-page.js';

/** The parts that the page of named corpora reads. */
export class CorpusParts {
  constructor(
    readonly store: CorpusStore,
    readonly scopes: ScopeService,
  ) {}
}

/** The page about named corpora. */
@AdminController('admin/corpora')
export class CorporaController {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: CorpusParts,
  ) {}

  @HtmlPage()
  async list(@SignedIn() operator: Principal): Promise<string> {
    const { frame, config, now } = this.server;
    if (!config.domains.offered.includes('knowledge'))
      return notOfferedPage({ title: 'Corpora', place: '/admin/corpora', domain: 'knowledge' }, frame);
    const scope = await this.parts.scopes.beforeDocuments(now(), operator.scope);
    const corpora = await this.parts.store.list(projectOf({ scope }), { offset: 0, limit: MAX_CORPORA });
    const hasCounts = scope.docTags === null && scope.repositories === null;
    return corporaPage({ corpora, hasCounts }, frame);
  }
}
