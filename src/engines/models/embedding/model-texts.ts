import type { TextRole } from '../../../core/ports/text-model.port.js';
import { wholeOffset } from '../../../text/clip-text.js';
import type { ModelSettings } from './model-settings.js';

/** Longer texts are cut. Models read 256 to 8,192 tokens, and a section's topic is in its first sentences. */
const MAX_CHARS = 4_000;

/** Prepares a text for the model: adds the prefix and cuts it to the length limit. */
export function prepareText(text: string, role: TextRole, { prefixes }: ModelSettings): string {
  const clipped = text.length <= MAX_CHARS ? text : text.slice(0, wholeOffset(text, MAX_CHARS));
  // Some models reject an empty text.
  return `${prefixes[role]}${clipped}` || ' ';
}
