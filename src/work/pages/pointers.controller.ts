import { Injectable, Param, Query } from '@nestjs/common';
import { AdminController, HtmlPage, SignedIn } from '../../admin/admin.guard.js';
import { ServerFacts } from '../../admin/admin-parts.js';
import { notOfferedPage } from '../../admin/pages/failure-page.js';
import type { Principal } from '../../mcp/principals.js';
import { ScopeService } from '../../scope/scope.service.js';
import { ManifestFilesService } from '../substrate/manifests/manifest-files.service.js';
import { PointerStore } from '../substrate/pointers/pointer-store.js';
import { spaceOf, type WorkSpace } from '../work-space.js';
import {
  noPointer,
  parsePointerName,
  parsePointerPlace,
  parsePointersPlace,
  pointerPage,
  pointersPage,
} from './pointers-page.js';

const ROWS = 50;
const MOVES = 25;
const FILES = 100;

/** The parts that the pages of pointers read. */
@Injectable()
export class PointerParts {
  constructor(
    readonly store: PointerStore,
    readonly manifests: ManifestFilesService,
    readonly scopes: ScopeService,
  ) {}
}

/** Pages about the pointers of stored documents. */
@AdminController('admin/pointers')
export class PointersController {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: PointerParts,
  ) {}

  @HtmlPage()
  async list(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const after = parsePointersPlace(given);
    const { frame } = this.server;
    if (!this.areOffered)
      return notOfferedPage({ title: 'Pointers', place: '/admin/pointers', domain: 'substrate' }, frame);
    const query = { namespace: null, type: null, offset: after, limit: ROWS + 1 };
    const found = await this.parts.store.list(await this.spaceFor(operator), query);
    return pointersPage({ pointers: found.slice(0, ROWS), after, hasMore: found.length > ROWS }, frame);
  }

  @HtmlPage(':namespace/:name')
  async one(
    @Param() params: unknown,
    @Query() given: unknown,
    @SignedIn() operator: Principal,
  ): Promise<string> {
    const place = parsePointerPlace(given);
    const name = parsePointerName(params);
    if (!this.areOffered) throw noPointer();
    const { store, manifests } = this.parts;
    const space = await this.spaceFor(operator);
    const pointer = await store.find(space, name);
    if (!pointer) throw noPointer();
    const { before: beforeVersion = null, after = 0 } = place;
    const found = await store.moves(space, name, { beforeVersion, limit: MOVES + 1 });
    const moves = found.slice(0, MOVES);
    const earlier = found.length > MOVES ? (moves.at(-1)?.version ?? null) : null;
    const all = await manifests.entries(space, pointer.manifestSha256);
    const files = all.slice(after, after + FILES);
    return pointerPage({ pointer, moves, earlier, files, fileCount: all.length }, place, this.server.frame);
  }

  private get areOffered(): boolean {
    return this.server.config.domains.offered.includes('substrate');
  }

  private async spaceFor({ scope: limit }: Principal): Promise<WorkSpace> {
    return spaceOf({ scope: await this.parts.scopes.beforeDocuments(this.server.now(), limit) });
  }
}
