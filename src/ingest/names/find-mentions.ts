import type { Section } from '../../core/section.js';
import type { FoundMention } from '../../core/indexed-document.js';
import { maskCode } from '../reading/markdown/mask-code.js';
import { MentionTally } from './mention-tally.js';
import { NameReader } from './name-reader.js';
import { namesEnvironment, surveyNames } from './survey-names.js';
import { goesOn } from '../sections/goes-on.js';

/**
 * Finds what the sections of one document name: commands, options, keys, variables, symbols, errors, files and terms.
 * Sources are inline code, command lines, headings, definitions, and prose where no English word looks like it; other
 * fences count only for names that the document also has as inline code or in a heading, and for variables and errors.
 * @param sections  of one document, in reading order
 * @returns by section, there what is defined first, then by count, then by name; at most 64 of a section
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
    if (!goesOn(section, sections[i - 1]))
      reader.addTitle(section.ordinal, section.title, own[i] ?? evidence);
  }
  for (const [i, { ordinal }] of sections.entries())
    reader.addCodeWords(ordinal, fences[i]?.words ?? new Map());
  return tally.mentions();
}
