import type { Section } from '../../core/section.js';

/** True when a section is a further part of the section before, with the same heading. */
export function isContinuation(section: Section, before: Section | undefined): boolean {
  return (
    before?.anchor === section.anchor && before.headingPath.join('\n') === section.headingPath.join('\n')
  );
}
