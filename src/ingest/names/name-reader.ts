import type { MaskedText } from '../reading/markdown/mask-code.js';
import { type FoundName, isNoise, typeOfForm } from './entity-type.js';
import { type Definitions, findDefinitions } from './find-definitions.js';
import { findProseNames } from './find-prose-names.js';
import { findSpanNames } from './find-span-names.js';
import type { MentionTally } from './mention-tally.js';
import type { NameEvidence } from './name-evidence.js';
import type { CodeWords } from './survey-names.js';

/** The role of a code span in its line. */
interface SpanPlace {
  readonly isDefined: boolean;
  readonly isSetting: boolean;
}

/**
 * Reads the names of one document in three passes over all sections: texts, titles, fences. Each pass uses the one
 * before.
 */
export class NameReader {
  /** Names found in inline code and headings; only these are looked up in fences. */
  private readonly spellings = new Set<string>();
  private readonly spans = new Map<NameEvidence, Map<string, readonly FoundName[]>>();

  constructor(private readonly tally: MentionTally) {}

  /** @param evidence  equal evidence must be the same object, because it is the key of a cache */
  addText(section: number, { prose, spans }: MaskedText, evidence: NameEvidence): void {
    const definitions = findDefinitions(prose);
    for (const [i, span] of spans.entries()) {
      const place = placeOf(definitions, i);
      for (const [at, found] of this.namesOf(span, evidence).entries()) {
        this.addSpanName(section, found, at === 0 ? place : { ...place, isSetting: false });
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

  private addSpanName(section: number, found: FoundName, { isDefined, isSetting }: SpanPlace): void {
    // A symbol in the first column of a table of settings is a configuration key.
    const isKey = isSetting && found.type === 'Symbol' && /^[a-z][\w.-]*$/.test(found.name);
    this.tally.add(section, isKey ? { ...found, type: 'ConfigurationKey' } : found, { isDefined });
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

function placeOf({ spans, settings }: Definitions, index: number): SpanPlace {
  return { isDefined: spans.has(index), isSetting: settings.has(index) };
}
