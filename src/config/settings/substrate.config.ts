import { Count } from '../setting.js';

/** Limits of the tools `substrate.*`. */
export class SubstrateConfig {
  @Count(
    'PITH_SUBSTRATE_MAX_BYTES',
    'Most bytes of artifacts and manifests that one project and environment may store.',
    { min: 1_048_576, max: 1_099_511_627_776 },
  )
  maxBytes = 1_073_741_824;
}
