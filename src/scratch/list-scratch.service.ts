import { Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../core/reply.js';
import type { ScratchListing } from './list-scratch.schemas.js';
import { PassagesService } from './passages.service.js';

@Injectable()
export class ListScratchService {
  constructor(private readonly passages: PassagesService) {}

  async list(call: Call, most: number): Promise<Reply<ScratchListing>> {
    const own = await this.passages.list(call, most + 1);
    const start = { count: Math.min(most, own.length), maxChars: 0 };
    return listReply(start, (fit) => ({
      passages: keptOf(own, fit).map(({ id, passage, expiresInS }) => ({
        passage_id: id,
        section_id: passage.sectionId,
        title: passage.title,
        size_bytes: passage.sizeBytes,
        expires_in_s: expiresInS,
      })),
      partial: fit.count < own.length || fit.reason !== null,
      limit_reason: fit.reason ?? (fit.count < own.length ? 'page_size' : 'none'),
      ...shownSkipped(fit),
    }));
  }
}
