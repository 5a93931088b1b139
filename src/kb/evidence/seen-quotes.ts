import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { pagePath } from '../../core/section-id.js';
import type { SeenTest, SeenUnits } from '../../scratch/seen-units.js';
import type { EvidenceOutput } from '../evidence.schemas.js';
import { fillPerDocument, type RankLimits } from '../search/rank-matches.js';
import type { ReadRanking } from './choose-evidence.js';

/** @throws InvalidArgumentError `no_conversation` */
export function seenTest(call: Call, seen: SeenUnits): SeenTest {
  const test = seen.testFor(call);
  if (test) return test;
  throw new InvalidArgumentError('This call belongs to no conversation, so it is unknown what was shown.', {
    reason: 'no_conversation',
    hint: 'Call again without skip_seen. Over HTTP, a client names each conversation in _meta["pith/run_id"].',
  });
}

/**
 * Marks the units that the caller was shown, and keeps the best sections that have others. The confidence stays that
 * of all sections.
 * @param limits  of the sections that are kept
 */
export function leaveOutSeen(read: ReadRanking, seen: SeenTest, limits: RankLimits): ReadRanking {
  const marked = read.sections.map((section) => {
    const isSeen = seen(section);
    return { ...section, units: section.units.map((unit, at) => ({ ...unit, isSeen: isSeen[at] ?? false })) };
  });
  const fresh = marked.filter(({ units }) => units.some(({ isSeen }) => !isSeen));
  const { candidates } = fillPerDocument(fresh, limits, {
    documentOf: ({ id }) => pagePath(id),
    make: (left) => ({ candidates: left.slice(0, limits.sections) }),
  }).made;
  return {
    ...read,
    sections: candidates,
    hasSeen: marked.some(({ units }) => units.some(({ isSeen }) => isSeen)),
  };
}

/** Records the units of the quotes as shown to the caller. */
export function noteSeen(
  call: Call,
  seen: SeenUnits,
  {
    parts,
    shown,
  }: { readonly parts: readonly ReadRanking[]; readonly shown: Pick<EvidenceOutput, 'quotes'> },
): void {
  const sections = new Map(parts.flatMap((part) => part.sections.map((section) => [section.id, section])));
  for (const { quote, passage_id, section_id, start_char: start } of shown.quotes) {
    // Texts that are quoted by passage have its id.
    const section = sections.get(section_id) ?? sections.get(passage_id);
    if (section) seen.note(call, { ...section, id: section_id }, [{ start, end: start + quote.length }]);
  }
}
