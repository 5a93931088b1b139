import { MemoryScratchStore } from '../../src/scratch/memory-scratch-store.js';
import { PassageNaming, PassagesService } from '../../src/scratch/passages.service.js';
import { NOW, SECRET } from './builders.js';

/** Passages in memory, named as `PassageNaming` says. */
export function somePassages(now: () => number = () => NOW): PassagesService {
  const options = { ttlMs: 1_800_000, maxBytes: 1_000_000, now, onPressure: () => undefined };
  return new PassagesService(new MemoryScratchStore(options), new PassageNaming(SECRET, 'wekadocs'));
}
