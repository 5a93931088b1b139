import { createHash } from 'node:crypto';
import type { Call } from '../core/call.js';
import type { Span } from '../text/span.js';

/** A section with its units. */
interface SplitSection {
  /** Its section id. */
  readonly id: string;
  readonly text: string;
  readonly units: readonly Span[];
}

/** Shorter units, such as `Example:`, are compared within their section only. */
const MIN_COMPARED_CHARS = 40;

/** The conversation that a call belongs to; null over HTTP without a run, because a principal has many conversations. */
function findConversation({ caller, scope, namedRun }: Call): string | null {
  if (!caller.isLocal && namedRun === null) return null;
  return JSON.stringify([caller.sessionId, namedRun, scope.projectId, scope.environment]);
}

function hashUnit(conversation: string, { id, text }: SplitSection, { start, end }: Span): string {
  const place = end - start < MIN_COMPARED_CHARS ? id : '';
  const name = JSON.stringify([conversation, place, text.slice(start, end)]);
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}

/** Tells which units of a section a conversation was shown. */
export type SeenTest = (section: SplitSection) => readonly boolean[];

/**
 * Remembers the units that were shown in each conversation, by digests that include the session. Bounded: the units
 * shown longest ago are forgotten first.
 */
export class SeenUnits {
  // A Set keeps insertion order: the first digest is the one shown longest ago.
  private readonly digests = new Set<string>();

  constructor(private readonly maxUnits: number) {}

  /** Records the units of a section that overlap the spans that were shown. */
  note(call: Call, section: SplitSection, shown: readonly Span[]): void {
    const conversation = findConversation(call);
    if (conversation === null) return;
    for (const unit of section.units) {
      if (!shown.some(({ start, end }) => start < unit.end && end > unit.start)) continue;
      const digest = hashUnit(conversation, section, unit);
      this.digests.delete(digest);
      this.digests.add(digest);
    }
    for (const oldest of this.digests) {
      if (this.digests.size <= this.maxUnits) return;
      this.digests.delete(oldest);
    }
  }

  /** Null if the call belongs to no known conversation. */
  testFor(call: Call): SeenTest | null {
    const conversation = findConversation(call);
    if (conversation === null) return null;
    return (section) => section.units.map((unit) => this.digests.has(hashUnit(conversation, section, unit)));
  }
}
