import { Count } from './setting.js';

/** The passages kept on our side. */
export class ScratchConfig {
  @Count('PITH_SCRATCH_TTL_S', 'How long a passage stays readable after its last use (s).', {
    min: 1,
    max: 86_400,
  })
  ttlS = 1_800;

  @Count('PITH_SCRATCH_BYTES', 'Memory for passages; the least recently used go first (bytes).', {
    min: 1_048_576,
    max: 17_179_869_184,
  })
  maxBytes = 268_435_456;
}
