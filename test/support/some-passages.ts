import type { Candidate } from '../../src/core/ports/section-index.port.js';
import { MemoryScratchStore } from '../../src/scratch/memory-scratch-store.js';
import { type NamedPassage, PassageNaming, PassagesService } from '../../src/scratch/passages.service.js';
import { aCall, NOW, SECRET } from './builders.js';
import { NO_DOCUMENTS } from './hidden-pages.js';

/** Passages in memory, named as `PassageNaming` says. @param index  the documents as they are now */
export function somePassages(now: () => number = () => NOW, index = NO_DOCUMENTS): PassagesService {
  const options = { ttlMs: 1_800_000, maxBytes: 1_000_000, now, onPressure: () => undefined };
  return new PassagesService(new MemoryScratchStore(options), new PassageNaming(SECRET, 'wekadocs'), index);
}

/** Stores one section, as a search does that shows its first character. */
export async function keepPassage(
  passages: PassagesService,
  candidate: Candidate,
  { call = aCall(), generation = 'index:1', window = { start: 0, end: 1 } } = {},
): Promise<NamedPassage> {
  const [kept] = await passages.keepAll(call, [{ candidate, generation, window }]);
  if (!kept) throw new Error('nothing was kept');
  return kept;
}
