import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../../config/server-secret.js';
import type { Call } from '../../../core/call.js';
import type { PointerName } from '../../../core/ports/index-source.js';
import { keptOf, listReply, type Reply, wholeReply } from '../../../core/reply.js';
import { ListCursors, pageFound } from '../../list-pages.js';
import { spaceOf, type WorkSpace } from '../../work-space.js';
import { ManifestFilesService } from '../manifests/manifest-files.service.js';
import { pointerConflict, pointerExists, unknownPointer } from '../substrate-failures.js';
import type {
  AdvancePointerInput,
  CreatePointerInput,
  ListPointersInput,
  PointerListing,
  PointerOutput,
  ResolvedPointer,
  ResolvePointerInput,
} from './pointer.schemas.js';
import { type Pointer, type PointerMove, PointerStore } from './pointer-store.js';

const timeOf = (ms: number): string => new Date(ms).toISOString();

const shapeOf = (pointer: Pointer): PointerOutput => ({
  namespace: pointer.namespace,
  name: pointer.name,
  type: pointer.type,
  description: pointer.description,
  manifest_sha256: pointer.manifestSha256,
  version: pointer.version,
  moved_at: timeOf(pointer.movedAt),
});

const moveShape = ({ version, oldSha256, newSha256, by, reason, at }: PointerMove) => ({
  version,
  old_sha256: oldSha256,
  new_sha256: newSha256,
  by,
  reason,
  at: timeOf(at),
});

/** Names manifests, and moves the names. */
@Injectable()
export class PointerService {
  constructor(
    private readonly pointers: PointerStore,
    private readonly manifests: ManifestFilesService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError `manifest_not_found`, `pointer_exists` */
  async checkCreate(call: Call, input: CreatePointerInput): Promise<void> {
    const space = spaceOf(call);
    await this.manifests.find(space, input.manifest_sha256);
    const existing = await this.pointers.find(space, input);
    if (existing) throw pointerExists(existing);
  }

  /** @throws InvalidArgumentError `manifest_not_found`, `pointer_not_found`, `conflict` */
  async checkAdvance(call: Call, input: AdvancePointerInput): Promise<void> {
    const space = spaceOf(call);
    await this.manifests.find(space, input.manifest_sha256);
    const current = await this.find(space, input);
    if (current.manifestSha256 !== input.expected_sha256) throw pointerConflict(current);
  }

  /** @throws as `checkCreate`; BudgetExceededError `substrate_full` */
  async create(call: Call, input: CreatePointerInput): Promise<Reply<PointerOutput>> {
    const space = spaceOf(call);
    const { namespace, name, type, description, manifest_sha256: manifestSha256 } = input;
    await this.manifests.find(space, manifestSha256);
    const by = call.caller.principal;
    const pointer = { namespace, name, type, description, manifestSha256, by, reason: 'created' };
    return wholeReply(shapeOf(await this.pointers.create(space, pointer)));
  }

  /** @throws as `checkAdvance`; BudgetExceededError `substrate_full` */
  async advance(call: Call, input: AdvancePointerInput): Promise<Reply<PointerOutput>> {
    const space = spaceOf(call);
    const { namespace, name, reason, expected_sha256: expectedSha256, manifest_sha256: newSha256 } = input;
    await this.manifests.find(space, newSha256);
    const by = call.caller.principal;
    const advance = { namespace, name, expectedSha256, newSha256, by, reason };
    return wholeReply(shapeOf(await this.pointers.advance(space, advance)));
  }

  async list(call: Call, input: ListPointersInput): Promise<Reply<PointerListing>> {
    const space = spaceOf(call);
    const { namespace = null, type = null, limit } = input;
    const cursors = new ListCursors(call, ['substrate.pointer.list', namespace, type], this.signing);
    const offset = cursors.offsetOf(input.cursor);
    const found = await this.pointers.list(space, { namespace, type, offset, limit: limit + 1 });
    return cursors.reply(pageFound(found, offset, limit), (pointers, fields) => ({
      pointers: pointers.map(shapeOf),
      ...fields,
    }));
  }

  /** @throws InvalidArgumentError `pointer_not_found` */
  async resolve(call: Call, input: ResolvePointerInput): Promise<Reply<ResolvedPointer>> {
    const space = spaceOf(call);
    const { namespace, name, max_moves: limit, before_version: beforeVersion = null } = input;
    const pointer = await this.find(space, { namespace, name });
    const found = await this.pointers.moves(space, { namespace, name }, { beforeVersion, limit: limit + 1 });
    const moves = found.slice(0, limit);
    return listReply({ count: moves.length, maxChars: 0, isPage: true }, (fit) => {
      const isPartial = fit.count < found.length || fit.reason !== null;
      return {
        ...shapeOf(pointer),
        created_at: timeOf(pointer.createdAt),
        history: keptOf(moves, fit).map(moveShape),
        partial: isPartial,
        limit_reason: fit.reason ?? (isPartial ? 'page_size' : 'none'),
      };
    });
  }

  /** The pointer of a name. @throws InvalidArgumentError `pointer_not_found` */
  async find(space: WorkSpace, name: PointerName): Promise<Pointer> {
    const pointer = await this.pointers.find(space, name);
    if (!pointer) throw unknownPointer(name);
    return pointer;
  }
}
