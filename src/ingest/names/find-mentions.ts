import type { FoundMention } from '../../core/indexed-document.js';
import type { Section } from '../../core/section.js';
import { maskCode, type MaskedText } from '../reading/markdown/mask-code.js';
import { isContinuation } from '../sections/section-document.js';
import { type FoundName, isNoise, typeOfForm } from './entity-type.js';
import { findDefinitions } from './find-definitions.js';
import { findProseNames } from './find-prose-names.js';
import { findSpanNames } from './find-span-names.js';
import { MentionTally } from './mention-tally.js';
import { type CodeWords, type NameEvidence, namesEnvironment, surveyNames } from './survey-names.js';

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
    for (const name of fences[i]?.names ?? []) tally.add(ordinal, name);
  }
  for (const [i, section] of sections.entries()) {
    if (!isContinuation(section, sections[i - 1]))
      reader.addTitle(section.ordinal, section.title, own[i] ?? evidence);
  }
  for (const [i, { ordinal }] of sections.entries())
    reader.addCodeWords(ordinal, fences[i]?.words ?? new Map());
  return tally.mentions();
}

/** Reads the names of one document in three passes: texts, titles, fences. Each pass uses the previous ones. */
class NameReader {
  /** Names found in inline code and headings; only these are looked up in fences. */
  private readonly spellings = new Set<string>();
  private readonly spans = new Map<NameEvidence, Map<string, readonly FoundName[]>>();

  constructor(private readonly tally: MentionTally) {}

  /** @param evidence  equal evidence must be the same object, because it is the key of a cache */
  addText(section: number, { prose, spans }: MaskedText, evidence: NameEvidence): void {
    const definitions = findDefinitions(prose);
    for (const [i, span] of spans.entries()) {
      const isDefined = definitions.spans.has(i);
      for (const [at, found] of this.namesOf(span, evidence).entries()) {
        const isFirstCell = at === 0 && definitions.settings.has(i);
        // A symbol in the first column of a table of settings is a configuration key.
        const isKey = isFirstCell && found.type === 'Symbol' && /^[a-z][\w.-]*$/.test(found.name);
        this.tally.add(section, isKey ? { ...found, type: 'ConfigurationKey' } : found, { isDefined });
      }
    }
    for (const name of findProseNames(prose, evidence)) this.tally.add(section, name);
    for (const term of definitions.terms) this.addTerm(section, term, evidence);
  }

  /** Every name in a title counts as defined there. */
  addTitle(section: number, title: string, evidence: NameEvidence): void {
    for (const name of this.namesInTitle(title, evidence)) {
      this.tally.add(section, name, { isDefined: true });
      this.spellings.add(name.name);
    }
  }

  addCodeWords(section: number, words: CodeWords): void {
    for (const [word, times] of words) {
      for (const name of this.namesInCode(word)) this.tally.add(section, name, { times });
    }
  }

  private namesOf(span: string, evidence: NameEvidence): readonly FoundName[] {
    const memo = this.spans.get(evidence) ?? new Map<string, readonly FoundName[]>();
    this.spans.set(evidence, memo);
    const known = memo.get(span);
    if (known) return known;
    const names = findSpanNames(span, evidence);
    memo.set(span, names);
    for (const { name } of names) this.spellings.add(name);
    return names;
  }

  private addTerm(section: number, term: string, evidence: NameEvidence): void {
    const [name] = findProseNames(term, evidence);
    // A term that is also a name was already counted with the prose around it.
    if (name?.name === term) this.tally.add(section, name, { isDefined: true, times: 0 });
    else this.tally.add(section, { name: term, type: 'Concept' }, { isDefined: true });
  }

  /** Titles have no backticks, so words that the document has as inline code count as code here. */
  private namesInTitle(title: string, evidence: NameEvidence): Iterable<FoundName> {
    const names = new Map<string, FoundName>();
    for (const name of findProseNames(title, evidence)) names.set(name.name, name);
    const parts = title.split(/,| and | or |[\s(]/);
    for (const part of [title, ...parts.map((piece) => piece.trim())]) {
      const name = this.nameOfTitlePart(part, part === title, evidence);
      if (name) names.set(name.name, name);
    }
    return names.values();
  }

  private nameOfTitlePart(part: string, isWhole: boolean, evidence: NameEvidence): FoundName | null {
    if (part.length > 120 || isNoise(part)) return null;
    const form = typeOfForm(part);
    const isEnglish = form === 'Command' && !evidence.hasCmdlets && !this.spellings.has(part);
    if (form !== null && form !== 'File' && !isEnglish) return { name: part, type: form };
    // A plain word in a longer title is English, even if it is code elsewhere.
    const isWord = /^[A-Z]?[a-z]+$/.test(part);
    return this.spellings.has(part) && (isWhole || !isWord) ? this.knownName(part) : null;
  }

  private namesInCode(word: string): FoundName[] {
    const variable = /^(?:process\.env|import\.meta\.env)\.([A-Za-z]\w+)$/.exec(word)?.[1];
    if (variable !== undefined) return [{ name: variable, type: 'EnvironmentVariable' }];
    if (this.spellings.has(word)) return [this.knownName(word)];
    if (/\d{3}|^E[A-Z]+$|^ERR_/.test(word) && typeOfForm(word) === 'Error')
      return [{ name: word, type: 'Error' }];
    const parts = /[.:>]/.test(word) ? word.split(/\.|::|->/) : [];
    return parts.filter((part) => this.spellings.has(part)).map((part) => this.knownName(part));
  }

  private knownName(name: string): FoundName {
    return { name, type: this.tally.typeOf(name) ?? 'Symbol' };
  }
}
