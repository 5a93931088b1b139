import { BackendUnavailableError } from '../../../core/errors.js';
import type { TextRole } from '../../../core/ports/text-model.port.js';
import { wholeOffset } from '../../../text/clip-text.js';
import type { ModelSettings } from './model-settings.js';

/** Longer texts are cut; models read 256 to 8,192 tokens, and the head of a section says what it is about. */
const MAX_CHARS = 4_000;

/** A text as a model wants it: with its prefix, and no longer than it reads. */
export function prepareText(text: string, role: TextRole, { prefixes }: ModelSettings): string {
  const clipped = text.length <= MAX_CHARS ? text : text.slice(0, wholeOffset(text, MAX_CHARS));
  // Some models take no empty text.
  return `${prefixes[role]}${clipped}` || ' ';
}

/** A model that gives other vectors than were asked for; those of the index could not be compared with them. */
export function wrongDimensions(model: string, found: number, wanted: number): BackendUnavailableError {
  return new BackendUnavailableError(
    `${model} returns vectors with ${found} components; ${wanted} were expected.`,
    {
      reason: 'embedder',
      hint: `Set PITH_EMBED_DIMENSIONS=${found} and index again (memory: SURR_EMBED_DIM=${found} and pith memory reembed), or correct the model name.`,
    },
  );
}
