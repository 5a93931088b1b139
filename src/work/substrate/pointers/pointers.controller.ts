import { Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { AdminController, HtmlPage, SignedIn } from '../../../admin/admin.guard.js';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { parseQuery } from '../../../admin/admin-query.js';
import { notOfferedPage } from '../../../admin/pages/failure-page.js';
import { card, factList } from '../../../admin/views/card.js';
import { type Html, html, type Part, seen, seenName, timeAt } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { listTable, type PageColumn } from '../../../admin/views/table.js';
import type { PointerName } from '../../../core/ports/index-source.js';
import { formatCount } from '../../../diagnostics/report/format.js';
import type { Principal } from '../../../mcp/principals.js';
import { ScopeService } from '../../../scope/scope.service.js';
import { spaceOf, type WorkSpace } from '../../work-space.js';
import type { ManifestEntry } from '../manifests/manifest.schemas.js';
import { ManifestFilesService } from '../manifests/manifest-files.service.js';
import { pointerNameSchema } from './pointer.schemas.js';
import { type Pointer, type PointerMove, PointerStore } from './pointer-store.js';

const place = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const pointersSchema = z.strictObject({ after: place.default(0) });
const pointerSchema = z.strictObject({
  /** Only moves before this version. */
  before: place.optional(),
  /** Number of files before the page. */
  after: place.optional(),
});

/** The places of the two lists on the page of a pointer, named as in URLs. */
export type PointerPlace = z.output<typeof pointerSchema>;

/** The number of pointers before the page. @throws AdminFailure INVALID_ARGUMENT */
export const parsePointersPlace = (query: unknown): number => parseQuery(pointersSchema, query).after;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parsePointerPlace = (query: unknown): PointerPlace => parseQuery(pointerSchema, query);

/** @param params  of the address @throws AdminFailure NOT_FOUND for texts that can't be names */
export function parsePointerName(params: unknown): PointerName {
  const { success, data } = pointerNameSchema.safeParse(params);
  if (success) return data;
  throw noPointer();
}

/** For a pointer of another project or environment, too. */
function noPointer(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'No pointer has this name.',
    'Open it from the list at /admin/pointers.',
  );
}

/** A page of the list of pointers. */
export interface PointerRows {
  readonly pointers: readonly Pointer[];
  /** Number of pointers before this page. */
  readonly after: number;
  readonly hasMore: boolean;
}

const PATH = '/admin/pointers';

/** The address of the page of a pointer. */
const pointerAddress = ({ namespace, name }: PointerName): string => `${PATH}/${namespace}/${name}`;

const COLUMNS: readonly PageColumn<Pointer>[] = [
  {
    name: 'Name',
    isHead: true,
    cell: (pointer) =>
      html`<a href="${pointerAddress(pointer)}">${seenName(`${pointer.namespace}/${pointer.name}`)}</a>`,
  },
  { name: 'Type', cell: ({ type }) => type },
  { name: 'Current manifest', isWide: true, cell: ({ manifestSha256 }) => seenName(manifestSha256) },
  { name: 'Version', isNumber: true, cell: ({ version }) => String(version) },
  { name: 'Last moved', cell: ({ movedAt }) => timeAt(movedAt) },
];

/** The pointers of the project and environment of the server. */
export function pointersPage({ pointers, after, hasMore }: PointerRows, frame: Frame): string {
  const list = listTable({
    caption: 'By namespace and name',
    rows: pointers,
    columns: COLUMNS,
    empty: after > 0 ? 'There are no more pointers.' : 'There are no pointers.',
    pages: {
      path: PATH,
      query: { after: after > 0 ? after : undefined },
      by: 'after',
      next: hasMore ? after + pointers.length : null,
      words: ['First', 'Later'],
    },
  });
  return page({
    title: 'Pointers',
    place: PATH,
    frame,
    lead: 'Names for manifests of stored documents. A name moves to later manifests.',
    content: html`<div class="card">${list}</div>`,
  });
}

/** A pointer with one page of its history and one page of its files. */
export interface PointerView {
  readonly pointer: Pointer;
  /** Latest first. */
  readonly moves: readonly PointerMove[];
  /** The version before which the next page of the history begins; null on the last page. */
  readonly earlier: number | null;
  /** Files of the current manifest, by path. */
  readonly files: readonly ManifestEntry[];
  /** Number of all its files. */
  readonly fileCount: number;
}

const MOVE_COLUMNS: readonly PageColumn<PointerMove>[] = [
  { name: 'Version', isHead: true, cell: ({ version }) => String(version) },
  { name: 'Manifest', isWide: true, cell: ({ newSha256 }) => seenName(newSha256) },
  { name: 'Reason', isWide: true, cell: ({ reason }) => html`<bdi>${seen(reason)}</bdi>` },
  { name: 'Moved by', cell: ({ by }) => seenName(by) },
  { name: 'Time', cell: ({ at }) => timeAt(at) },
];

function metadataText({ metadata = [] }: ManifestEntry): Part {
  if (metadata.length === 0) return null;
  return metadata.map(
    ({ name, value }, i) => html`${i > 0 && html`<br />`}<bdi>${seen(name)}</bdi>: <bdi>${seen(value)}</bdi>`,
  );
}

const FILE_COLUMNS: readonly PageColumn<ManifestEntry>[] = [
  { name: 'Path', isHead: true, isWide: true, cell: ({ path }) => seenName(path) },
  { name: 'Artifact', isWide: true, cell: ({ artifact_sha256: sha256 }) => seenName(sha256) },
  { name: 'Metadata', isWide: true, cell: metadataText },
];

function historyCard({ pointer, moves, earlier }: PointerView, { before, after }: PointerPlace): Html {
  const list = listTable({
    caption: 'Latest first',
    rows: moves,
    columns: MOVE_COLUMNS,
    empty: 'There are no earlier moves.',
    pages: {
      path: pointerAddress(pointer),
      query: { before, after },
      by: 'before',
      next: earlier,
      of: 'the history',
    },
  });
  return card('history', 'History', list);
}

function filesCard({ pointer, files, fileCount }: PointerView, { before, after = 0 }: PointerPlace): Html {
  const next = after + files.length;
  const list = listTable({
    caption: `${formatCount(after + 1)} to ${formatCount(next)} of ${formatCount(fileCount)}, by path`,
    rows: files,
    columns: FILE_COLUMNS,
    empty: after > 0 ? 'There are no more files.' : 'The manifest has no files.',
    pages: {
      path: pointerAddress(pointer),
      query: { before, after: after > 0 ? after : undefined },
      by: 'after',
      next: next < fileCount ? next : null,
      of: 'the files',
      words: ['First', 'Later'],
    },
  });
  return card('files', 'Files of the current manifest', list);
}

/** A pointer, its moves, and the files of its current manifest. */
export function pointerPage(view: PointerView, place: PointerPlace, frame: Frame): string {
  const { pointer } = view;
  const { namespace, name, type, description, manifestSha256, createdAt, movedAt } = pointer;
  return page({
    title: 'Pointer',
    place: '/admin/pointers',
    frame,
    content: html`<h1>Pointer <bdi class="id">${namespace}/${name}</bdi></h1>
      ${factList([
        ['Type', type],
        ...(description === '' ? [] : [['Description', html`<bdi>${seen(description)}</bdi>`] as const]),
        ['Current manifest', seenName(manifestSha256)],
        ['Version', String(pointer.version)],
        ['Created', timeAt(createdAt)],
        ['Last moved', timeAt(movedAt)],
      ])}
      ${historyCard(view, place)} ${filesCard(view, place)}`,
  });
}

const ROWS = 50;
const MOVES = 25;
const FILES = 100;

/** Pages about the pointers of stored documents. */
@AdminController('admin/pointers')
export class PointersController {
  constructor(
    private readonly server: ServerFacts,
    private readonly store: PointerStore,
    private readonly manifests: ManifestFilesService,
    private readonly scopes: ScopeService,
  ) {}

  @HtmlPage()
  async list(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const after = parsePointersPlace(given);
    const { frame } = this.server;
    if (!this.areOffered)
      return notOfferedPage({ title: 'Pointers', place: '/admin/pointers', domain: 'substrate' }, frame);
    const query = { namespace: null, type: null, offset: after, limit: ROWS + 1 };
    const found = await this.store.list(await this.spaceFor(operator), query);
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
    const { store, manifests } = this;
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
    return spaceOf({ scope: await this.scopes.beforeDocuments(this.server.now(), limit) });
  }
}
