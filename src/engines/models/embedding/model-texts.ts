import type { TextRole } from '../../../core/ports/text-model.port.js';
import type { Section } from '../../../core/section.js';
import { wholeOffset } from '../../../text/span.js';
import type { ModelSettings } from './model-settings.js';

/** Longer texts are cut. Models read 256 to 8,192 tokens, and a section's topic is in its first sentences. */
const MAX_CHARS = 4_000;

/** Prepares a text for the model: adds the prefix and cuts it to the length limit. */
export function prepareText(text: string, role: TextRole, { prefixes }: ModelSettings): string {
  const clipped = text.length <= MAX_CHARS ? text : text.slice(0, wholeOffset(text, MAX_CHARS));
  // Some models reject an empty text.
  return `${prefixes[role]}${clipped}` || ' ';
}

/** A section as a model reads it: its headings, then its text. */
export function headedText({ headingPath, text }: Pick<Section, 'headingPath' | 'text'>): string {
  return `${headingPath.join(' > ')}\n${text}`;
}

/** Splits texts into batches, in order. @param most  limits of one batch; a text with more UTF-16 units gets its own */
export function batchTexts(texts: readonly string[], most: { texts: number; chars: number }): string[][] {
  const batches: string[][] = [];
  let chars = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    chars += text.length;
    if (last && last.length < most.texts && chars <= most.chars) last.push(text);
    else {
      batches.push([text]);
      chars = text.length;
    }
  }
  return batches;
}

/** Indices of texts, shortest first: batches of similar lengths need little padding. */
export function byLength(texts: readonly string[]): number[] {
  const lengthAt = (at: number): number => texts[at]?.length ?? 0;
  return texts.map((_, at) => at).sort((a, b) => lengthAt(a) - lengthAt(b));
}
