import type { Section } from '../../core/section.js';
import { splitUnits } from '../../text/split-units.js';
import { clipText } from '../../text/clip-text.js';
import type { FoundStep } from '../../core/indexed-document.js';
import { closesFence } from '../reading/markdown/find-code.js';
import { readHeading } from '../reading/read-heading.js';
import { goesOn } from './goes-on.js';

const MAX_TITLE = 200;
/** As much of an item as a first sentence can take. */
const MAX_READ = 2000;

const ITEM = /^( {0,3})(\d{1,9})([.)])(?:([ \t]+)(.*))?$/;
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
// What ends a list when it is not indented: a heading, a rule, another list.
const BLOCK_START = /^ {0,3}(?:#{1,6}\s|[-*+][ \t]|(?:[-*_][ \t]*){3,}$)/;
const NESTED = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;

interface Item {
  readonly section: number;
  readonly list: number;
  /** Lines of its first paragraph. */
  readonly lines: string[];
}

/** Reads lines one by one and keeps the items of ordered lists that stand at the top level. */
class ItemReader {
  readonly items: Item[] = [];
  private list = 0;
  private last: { readonly number: number; readonly mark: string } | null = null;
  private isOpen = false;
  /** Where the text of the last item begins: what is indented as far is part of it. */
  private contentAt = 0;
  private fence: string | null = null;
  private isBlank = true;
  private paragraph: string[] | null = null;

  /** A part of a section goes on with the list of the part before. */
  startSection(isPart: boolean): void {
    this.fence = null;
    this.isBlank = true;
    this.paragraph = null;
    this.isOpen = isPart && this.isOpen;
    if (!isPart) this.last = null;
  }

  readLine(line: string, section: number): void {
    if (this.fence !== null) {
      if (closesFence(line, this.fence)) this.fence = null;
      return;
    }
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      this.fence = mark;
      this.endParagraph();
      if (!/^[ \t]/.test(line)) this.isOpen = false;
      return;
    }
    if (line.trim() === '') {
      this.isBlank = true;
      // An item may be empty up to its first text.
      if (this.paragraph?.length) this.paragraph = null;
      return;
    }
    const item = ITEM.exec(line);
    const isNested = this.isOpen && (item?.[1]?.length ?? 0) >= this.contentAt;
    if (item && !isNested) this.startItem(item, section);
    else this.readText(line);
    this.isBlank = false;
  }

  private startItem(item: RegExpExecArray, section: number): void {
    const [, indent = '', digits = '', mark = '', gap = ' ', text = ''] = item;
    const number = Number(digits);
    // Code or a note that is not indented interrupts a list; the next number says that it goes on.
    const goesOn = this.last?.mark === mark && (this.isOpen || number === this.last.number + 1);
    if (!goesOn) this.list++;
    this.last = { number, mark };
    this.isOpen = true;
    this.contentAt = indent.length + digits.length + 1 + (gap.length > 4 ? 1 : gap.length);
    this.paragraph = text.trim() === '' ? [] : [text];
    this.items.push({ section, list: this.list, lines: this.paragraph });
  }

  private readText(line: string): void {
    const isIndented = /^(?:[ ]{2}|\t)/.test(line);
    if (NESTED.test(line) && isIndented) {
      this.endParagraph();
      return;
    }
    if (!isIndented && (this.isBlank || BLOCK_START.test(line))) {
      this.endParagraph();
      this.isOpen = false;
      return;
    }
    this.paragraph?.push(line.trim());
  }

  private endParagraph(): void {
    this.paragraph = null;
  }
}

/**
 * Finds the steps of procedures: the items of numbered lists of at least two that stand at the top level; a list that a
 * section's next part goes on with is one.
 * @param sections  of one document, in reading order
 * @returns in reading order; numbers from 1 in each section, whatever is written; items without a text are left out
 */
export function findSteps(sections: readonly Section[]): FoundStep[] {
  const reader = new ItemReader();
  for (const [i, section] of sections.entries()) {
    reader.startSection(goesOn(section, sections[i - 1]));
    if (!/^ {0,3}\d/.test(section.text) && !/\n {0,3}\d/.test(section.text)) continue;
    for (const line of section.text.split('\n')) reader.readLine(line, section.ordinal);
  }
  return numberSteps(reader.items);
}

function numberSteps(items: readonly Item[]): FoundStep[] {
  const sizes = new Map<number, number>();
  for (const { list } of items) sizes.set(list, (sizes.get(list) ?? 0) + 1);
  const numbers = new Map<number, number>();
  return items.flatMap(({ section, list, lines }) => {
    const title = (sizes.get(list) ?? 0) > 1 ? titleOf(lines) : '';
    if (title === '') return [];
    const number = (numbers.get(section) ?? 0) + 1;
    numbers.set(section, number);
    return [{ section, number, title }];
  });
}

function titleOf(lines: readonly string[]): string {
  const text = lines.join(' ').slice(0, MAX_READ).replace(/\s+/g, ' ');
  const [first] = splitUnits(text);
  return first ? clipText(plainText(text.slice(first.start, first.end)), MAX_TITLE) : '';
}

/** Most sentences have no marks, and a parser is slow to say so. */
function plainText(sentence: string): string {
  return /[*_`[<\\&!~]/.test(sentence) ? readHeading(withoutReferences(sentence)).title : sentence;
}

/** What a link refers to stands elsewhere in the document, so a reader of one line takes `[text][name]` as written. */
function withoutReferences(text: string): string {
  return text.replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, '$1');
}
