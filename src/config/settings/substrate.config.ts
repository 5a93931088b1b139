import { Count } from '../setting.js';

/** Limits of the tools `substrate.*`. */
export class SubstrateConfig {
  @Count(
    'PITH_SUBSTRATE_MAX_BYTES',
    'Most bytes that one project and environment may store: artifacts, manifests, pointers with their moves, claims with their evidence.',
    { min: 1_048_576, max: 1_099_511_627_776 },
  )
  maxBytes = 1_073_741_824;

  @Count(
    'PITH_ARTIFACT_MAX_BYTES',
    'Largest artifact that is uploaded over HTTP, with POST /artifacts (bytes).',
    {
      min: 262_144,
      max: 268_435_456,
    },
  )
  artifactMaxBytes = 16_777_216;
}
