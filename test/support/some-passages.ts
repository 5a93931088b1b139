import { MemoryScratchStore } from '../../src/scratch/memory-scratch-store.js';
import { PassageNaming, PassagesService } from '../../src/scratch/passages.service.js';
import { NOW, SECRET } from './builders.js';
import { NO_DOCUMENTS } from './hidden-pages.js';

/** Passages in memory, named as `PassageNaming` says. @param index  the documents as they are now */
export function somePassages(now: () => number = () => NOW, index = NO_DOCUMENTS): PassagesService {
  const options = { ttlMs: 1_800_000, maxBytes: 1_000_000, now, onPressure: () => undefined };
  return new PassagesService(new MemoryScratchStore(options), new PassageNaming(SECRET, 'wekadocs'), index);
}
