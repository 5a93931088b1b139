import { Count } from '../setting.js';

/** Scratch: passages kept on the server. */
export class ScratchConfig {
  @Count('PITH_SCRATCH_TTL_S', 'Lifetime of a passage after its last use (s).', { min: 1, max: 86_400 })
  ttlS = 1_800;

  @Count(
    'PITH_SCRATCH_BYTES',
    'Memory limit for passages (bytes). The least recently used are removed first.',
    { min: 1_048_576, max: 17_179_869_184 },
  )
  maxBytes = 268_435_456;
}
