import type { EmbedderProfile } from '../core/ports/embedder.port.js';
import { SECTIONING_VERSION } from '../ingest/built-index.js';
import { ANALYSER_VERSION } from '../text/terms/search-terms.js';

/** The versions of splitting and analysing texts; part of the identity of every index. */
export const TEXT_VERSIONS = { sectioning: SECTIONING_VERSION, tokenizer: ANALYSER_VERSION };

/** True if an index can be read. A model with unknown dimensions (it may be down) accepts those of the index. */
export function fitsIdentity(
  stored: string | undefined,
  profile: EmbedderProfile,
  identityOf: (profile: EmbedderProfile) => string,
): boolean {
  const isUnknown = profile.dimensions === 0 && profile.recalls;
  return (isUnknown ? stored?.replace(/"dimensions":\d+/, '"dimensions":0') : stored) === identityOf(profile);
}
