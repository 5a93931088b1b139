import type { FoundMention } from '../../core/indexed-document.js';
import type { Section } from '../../core/section.js';
import { maskCode } from '../reading/markdown/mask-code.js';
import { isContinuation } from '../sections/section-document.js';
import { MentionTally } from './mention-tally.js';
import { NameReader } from './name-reader.js';
import { namesEnvironment, surveyNames } from './survey-names.js';

/**
 * Finds the names in the sections of one document: commands, options, keys, variables, symbols, errors, files and
 * terms. Names come from inline code, command lines, headings and definitions, and from prose if they can't be English
 * words. Other fences add variables and errors, and names that the document also has as inline code or in a heading.
 * @param sections  of one document, in reading order
 * @returns by section; within a section definitions first, then by count, then by name; at most 64 per section
 */
export function findMentions(sections: readonly Section[]): FoundMention[] {
  const masked = sections.map(({ text }) => maskCode(text));
  const { fences, evidence } = surveyNames(
    sections.map(({ text }) => text),
    masked,
  );
  const inEnvironment = { ...evidence, hasConstants: false };
  const tally = new MentionTally();
  const reader = new NameReader(tally);
  const own = sections.map(({ text, headingPath }) =>
    namesEnvironment(text) || headingPath.some(namesEnvironment) ? inEnvironment : evidence,
  );
  for (const [i, { ordinal }] of sections.entries()) {
    const text = masked[i];
    if (text) reader.addText(ordinal, text, own[i] ?? evidence);
    for (const name of fences[i]?.shellNames ?? []) tally.add(ordinal, name);
    for (const name of fences[i]?.variables ?? []) tally.add(ordinal, name);
  }
  for (const [i, section] of sections.entries()) {
    if (!isContinuation(section, sections[i - 1]))
      reader.addTitle(section.ordinal, section.title, own[i] ?? evidence);
  }
  for (const [i, { ordinal }] of sections.entries())
    reader.addCodeWords(ordinal, fences[i]?.words ?? new Map());
  return tally.mentions();
}
