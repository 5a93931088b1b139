import type { FoundStep } from '../../core/indexed-document.js';
import type { Section } from '../../core/section.js';
import { clipText } from '../../text/span.js';
import { closesFence } from '../reading/markdown/find-code.js';
import { readHeading } from '../reading/read-heading.js';
import { splitUnits } from '../structure/split-units.js';
import { isContinuation } from './section-document.js';

const MAX_TITLE = 200;
/** Maximum number of characters to read of an item; enough for its first sentence. */
const MAX_READ = 2000;

const ITEM = /^( {0,3})(\d{1,9})([.)])(?:([ \t]+)(.*))?$/;
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
// Blocks that end a list unless indented: a heading, a rule, another list.
const BLOCK_START = /^ {0,3}(?:#{1,6}\s|[-*+][ \t]|(?:[-*_][ \t]*){3,}$)/;
const NESTED = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;

interface Item {
  readonly section: number;
  readonly list: number;
  /** Lines of its first paragraph. */
  readonly lines: string[];
}

/** Reads sections line by line and collects the items of top-level ordered lists. */
class ItemReader {
  readonly items: Item[] = [];
  private list = 0;
  private last: { readonly number: number; readonly mark: string } | null = null;
  private isOpen = false;
  /** Text column of the last item; lines with at least this indentation belong to the item. */
  private contentAt = 0;
  private fence: string | null = null;
  private isBlank = true;
  private paragraph: string[] | null = null;

  /** Starts a section. A further part of a section continues the list of the previous part. */
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
      this.paragraph = null;
      if (!/^[ \t]/.test(line)) this.isOpen = false;
      return;
    }
    if (line.trim() === '') {
      this.isBlank = true;
      // If the item has no text yet, its text may still follow.
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
    // After unindented code or a note, the next number in sequence continues the list.
    const continuesList = this.last?.mark === mark && (this.isOpen || number === this.last.number + 1);
    if (!continuesList) this.list++;
    this.last = { number, mark };
    this.isOpen = true;
    this.contentAt = indent.length + digits.length + 1 + (gap.length > 4 ? 1 : gap.length);
    this.paragraph = text.trim() === '' ? [] : [text];
    this.items.push({ section, list: this.list, lines: this.paragraph });
  }

  private readText(line: string): void {
    const isIndented = /^(?:[ ]{2}|\t)/.test(line);
    if (NESTED.test(line) && isIndented) {
      this.paragraph = null;
      return;
    }
    if (!isIndented && (this.isBlank || BLOCK_START.test(line))) {
      this.paragraph = null;
      this.isOpen = false;
      return;
    }
    this.paragraph?.push(line.trim());
  }
}

/**
 * Finds the steps of procedures: the items of top-level numbered lists with at least two items. A list can continue in
 * the next part of its section.
 * @param sections  of one document, in reading order
 * @returns in reading order, renumbered from 1 in each section; items without text are left out
 */
export function findSteps(sections: readonly Section[]): FoundStep[] {
  const reader = new ItemReader();
  for (const [i, section] of sections.entries()) {
    reader.startSection(isContinuation(section, sections[i - 1]));
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

/** Removes Markdown marks. Sentences without marks skip the slow parser. */
function plainText(sentence: string): string {
  if (!/[*_`[<\\&!~]/.test(sentence)) return sentence;
  // The parser does not see the definition of `[text][name]`, which is elsewhere in the document.
  return readHeading(sentence.replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, '$1')).title;
}
