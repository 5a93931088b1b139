import type { Section } from '../../core/section.js';

/** Whether a section is a further part of the one before, whose heading stands there. */
export function goesOn(section: Section, before: Section | undefined): boolean {
  return (
    before?.anchor === section.anchor && before.headingPath.join('\n') === section.headingPath.join('\n')
  );
}
