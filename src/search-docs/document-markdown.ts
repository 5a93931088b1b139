import type { Section } from '../core/section.js';
import { headingLine } from './delimited-text.js';

/** Number of headings, from the top, that two sections share. */
function sharedHeadings(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((title, i) => title !== b[i]);
  return differs < 0 ? a.length : differs;
}

/** Headings above a section that have no section of their own. */
function bareHeadings({ headingPath, level }: Section, before: Section | undefined): string[] {
  const above = headingPath.slice(0, -1);
  const shared = sharedHeadings(above, before?.headingPath ?? []);
  return above
    .map((title, i) => `${'#'.repeat(Math.max(1, Math.min(i + 1, level - 1)))} ${title}`)
    .slice(shared);
}

/** Assembles a document from its sections, in reading order. */
export function documentMarkdown(sections: readonly Section[]): string {
  const pieces = sections.flatMap((section, i) => {
    const heading = headingLine(section);
    const above = heading === null ? [] : bareHeadings(section, sections[i - 1]);
    return [...above, ...(heading === null ? [] : [heading]), section.text];
  });
  return `${pieces.filter((piece) => piece !== '').join('\n\n')}\n`;
}
