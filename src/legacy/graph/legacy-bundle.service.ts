import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { GraphStore } from '../../core/ports/graph-store.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import type { Reply } from '../../core/reply.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { graphOffError } from './graph-off.js';
import { withEnvelope } from '../legacy-envelope.js';
import type { LegacyEnvelope } from '../legacy-envelope.js';
import { projectNode, readFields } from './legacy-node.js';
import type { LegacyNode } from './legacy-node.js';
import { sessionName } from '../legacy-session.js';
import { LegacyTextService, longestOf } from '../legacy-text.service.js';
import { GraphReads } from './read-graph.js';
import { toTextRow } from '../section-text-row.js';
import type { TextRow } from '../section-text-row.js';

export interface BundleOutput extends LegacyEnvelope {
  readonly bundle: {
    readonly nodes: readonly Partial<LegacyNode>[];
    readonly snippets: readonly TextRow[];
    readonly strategy: string;
  };
  readonly usage: { readonly tokens: number; readonly bytes: number };
}

const BYTES_PER_SECTION = 16_384;

/** Gathers nodes and their texts, as it was done under the older name. */
@Injectable()
export class LegacyBundleService {
  constructor(
    @Inject(GraphStore) private readonly store: GraphStore | null,
    private readonly texts: LegacyTextService,
  ) {}

  /** @throws BackendUnavailableError, where there is no graph too */
  async gather(
    call: Call,
    { seeds, strategy }: { seeds: readonly string[]; strategy: string },
  ): Promise<Reply<BundleOutput>> {
    if (!this.store) throw graphOffError();
    const reads = new GraphReads(this.store, call);
    const [nodes, { generation, sections }] = await Promise.all([
      reads.describe(seeds),
      this.texts.sections(call, seeds),
    ]);
    reads.expect(generation);
    const start = { count: Math.max(nodes.length, sections.length), maxChars: longestOf(sections) };
    return listReply(start, (fit) => {
      const { maxChars, reason } = fit;
      const bundle = {
        nodes: keptOf(nodes, fit).map((node) => projectNode(node, readFields(null))),
        snippets: keptOf(sections, fit).map((stored) => toTextRow(stored, BYTES_PER_SECTION, maxChars)),
        strategy,
      };
      const json = JSON.stringify(bundle);
      const usage = { tokens: estimateTokens(json), bytes: Buffer.byteLength(json) };
      // No share is held against it, so that it is partial only where the response ceiling says so.
      return withEnvelope({ sessionId: sessionName(call), payload: { bundle, usage }, phase: null, reason });
    });
  }
}
