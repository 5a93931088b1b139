import { Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { LimitsConfig } from '../config/settings/limits.config.js';
import { InvalidArgumentError } from '../core/errors.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import type { StoredSection, StoredSections } from '../core/ports/section-index.port.js';
import { keptOf, listReply } from '../core/reply.js';
import type { Reply } from '../core/reply.js';
import { scopeAllows } from '../core/scope.js';
import { withEnvelope } from './legacy-envelope.js';
import type { LegacyEnvelope } from './legacy-envelope.js';
import { sessionName } from './legacy-session.js';
import { toTextRow } from './section-text-row.js';
import type { TextRow } from './section-text-row.js';

export interface SectionTextInput {
  readonly sectionIds: readonly string[];
  readonly maxBytesPer: number;
  readonly sessionId: string | null;
}

export interface SectionTextOutput extends LegacyEnvelope {
  readonly results: readonly TextRow[];
  readonly hints: { readonly next_tools: readonly string[] };
}

/** What 0 always meant. */
const BYTES_FOR_ZERO = 16_384;
const HINTS = { next_tools: ['expand_neighbors', 'describe_nodes'] };

/** Reads whole sections, as it was done under the older name. */
@Injectable()
export class LegacyTextService {
  constructor(
    private readonly index: SectionIndex,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * In the order asked for, each section once; unknown ids are passed over.
   * @throws InvalidArgumentError for a negative limit; BackendUnavailableError
   */
  async read(call: Call, input: SectionTextInput): Promise<Reply<SectionTextOutput>> {
    const maxBytes = this.bytesPerSection(input.maxBytesPer);
    const { sections: found } = await this.sections(call, input.sectionIds);
    const sessionId = sessionName(call, input.sessionId);
    const maxChars = longestOf(found);
    const reply = listReply({ count: found.length, maxChars }, (fit) => {
      const results = keptOf(found, fit).map((stored) => toTextRow(stored, maxBytes, fit.maxChars));
      const payload = { results, hints: HINTS };
      return withEnvelope({ sessionId, payload, phase: 'snippets', reason: fit.reason });
    });
    return {
      ...reply,
      cutBy: ({ results }) => (results.some(({ truncated }) => truncated) ? 'byte_cap' : 'none'),
    };
  }

  /** Visible sections, in the order asked for. @throws BackendUnavailableError */
  async sections(call: Call, ids: readonly string[]): Promise<StoredSections> {
    const { generation, sections } = await this.index.sections(call.scope, ids);
    return { generation, sections: sections.filter(({ document }) => scopeAllows(call.scope, document)) };
  }

  private bytesPerSection(asked: number): number {
    if (asked < 0) {
      throw new InvalidArgumentError('max_bytes_per is negative.', {
        reason: 'invalid_input',
        hint: 'Send 1 to 32768, or leave it out.',
      });
    }
    return Math.min(asked || BYTES_FOR_ZERO, this.limits.maxTextBytesPerCall);
  }
}

/** Length of the longest text, in UTF-16 units. */
export function longestOf(found: readonly StoredSection[]): number {
  return found.reduce((most, { section }) => Math.max(most, section.text.length), 0);
}
