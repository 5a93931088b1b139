import type { Section } from '../../core/section.js';

/** A section as a model reads it: what it stands under, then its text. */
export function headedText({ headingPath, text }: Pick<Section, 'headingPath' | 'text'>): string {
  return `${headingPath.join(' > ')}\n${text}`;
}
