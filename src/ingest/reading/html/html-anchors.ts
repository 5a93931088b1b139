import { ANCHOR_NAME, type Block, MAX_ANCHORS, type PageAnchor } from '../parsed-document.js';
import { attributeOf, HEADING, type HtmlNode, rootOf } from './html-node.js';
import { isDropped } from './is-dropped.js';

/** A private-use character, which real ids don't contain. It marks the numbers that `markOf` adds to headings. */
const MARK = '\u{E000}';
const MARKS = new RegExp(` ?\\{#${MARK}\\d+\\}`, 'g');

/** A heading of the first level, with its mark. */
export const TITLE_LINE = new RegExp(`^# .* \\{#${MARK}\\d+\\}$`, 'm');

/** The mark of a heading by its number. */
export const headingMark = (number: number): string => ` {#${MARK}${number}}`;

const idIn = (id: string): string => (/^[^\s{}\\]+$/.test(id) ? id : '');

/** The root element that turndown adds to a page. */
const CONVERTER = 'X-TURNDOWN';

interface NumberedHeading {
  /** Position in the page, from 0. */
  readonly number: number;
  /** True when an element begins directly before the heading, with only white space in between. */
  readonly isOpenedBy: (element: HtmlNode | null) => boolean;
  /** The last id before the heading, with only white space in between; '' without one. */
  readonly namedBefore: string;
}

/** Assigns each id of a page to a heading: to the next one if no text comes before it, else to the previous one. */
export class HtmlAnchors {
  private readonly headings = new Map<HtmlNode, NumberedHeading>();
  private readonly found: { readonly name: string; readonly heading: number }[] = [];
  private readonly ids: string[] = [];
  private opened: { readonly element: HtmlNode; readonly isShown: boolean }[] = [];
  private isRead = false;

  /** Takes the ids of the headings of a page that has no others. */
  take(ids: readonly string[]): void {
    for (const [heading, id] of ids.entries()) {
      this.ids[heading] = idIn(id);
      if (ANCHOR_NAME.test(id) && this.found.length < MAX_ANCHORS) this.found.push({ name: id, heading });
    }
  }

  /** Reads the page that contains a node, on the first call only. @returns true on that call */
  read(node: HtmlNode): boolean {
    if (this.isRead) return false;
    this.isRead = true;
    this.walk(rootOf(node));
    this.assignTo(this.headings.size - 1);
    return true;
  }

  /** The mark to add after a heading, so that `blocks` and `anchors` can identify it. */
  markOf(heading: HtmlNode): string {
    const found = this.headings.get(heading);
    if (!found) return '';
    const section = heading.parentNode;
    const own = attributeOf(heading, 'id') || (found.isOpenedBy(section) ? attributeOf(section, 'id') : '');
    const id = own || found.namedBefore || nameInside(heading);
    this.ids[found.number] = idIn(id);
    return headingMark(found.number);
  }

  /** Replaces the marks by the ids of the headings. */
  blocks(marked: readonly Block[]): readonly Block[] {
    return marked.map((block) => {
      if (block.kind !== 'heading') return { ...block, text: block.text.replace(MARKS, '') };
      const number = numberOf(block.anchor);
      return number === null ? block : { ...block, anchor: this.ids[number] ?? '' };
    });
  }

  /** @param marked  blocks with their marks. Ids of a heading that is not a block get the line of the previous one. */
  anchors(marked: readonly Block[]): PageAnchor[] {
    const lines: number[] = [];
    for (const block of marked) {
      const number = block.kind === 'heading' ? numberOf(block.anchor) : null;
      if (number !== null) lines[number] = block.line;
    }
    for (let i = 0; i < Math.max(this.headings.size, this.ids.length); i++) lines[i] ??= lines[i - 1] ?? 0;
    return this.found.map(({ name, heading }) => ({ name, line: lines[heading] ?? 0 }));
  }

  private walk(root: HtmlNode): void {
    const rest: { node: HtmlNode; isShown: boolean }[] = [{ node: root, isShown: true }];
    for (let next = rest.pop(); next; next = rest.pop()) {
      const { node, isShown } = next;
      const isKept = isShown && !isDropped(node);
      if (node.nodeType === 1 && node.nodeName !== CONVERTER) this.enter(node, isKept);
      else if (isKept && node.nodeType === 3 && node.nodeValue?.trim()) this.assignTo(this.headings.size - 1);
      for (let i = node.childNodes.length - 1; i >= 0; i--) {
        const child = node.childNodes[i];
        if (child) rest.push({ node: child, isShown: isKept });
      }
    }
  }

  private enter(element: HtmlNode, isShown: boolean): void {
    this.opened.push({ element, isShown });
    if (!isShown || !HEADING.test(element.nodeName)) return;
    const openedBy = new Set(this.opened.map((one) => one.element));
    const number = this.headings.size;
    const namedBefore = this.assignTo(number);
    const isOpenedBy = (other: HtmlNode | null): boolean => other !== null && openedBy.has(other);
    this.headings.set(element, { number, isOpenedBy, namedBefore });
  }

  /** @returns the last of the assigned ids that is not of navigation or of a control; '' for none */
  private assignTo(heading: number): string {
    let last = '';
    for (const { element, isShown } of this.opened) {
      const names = [
        attributeOf(element, 'id'),
        element.nodeName === 'A' ? attributeOf(element, 'name') : '',
      ];
      for (const name of names) {
        if (!ANCHOR_NAME.test(name) || this.found.length >= MAX_ANCHORS) continue;
        this.found.push({ name, heading });
        if (isShown) last = name;
      }
    }
    this.opened = [];
    return last;
  }
}

/** The name of a link in a heading, as older pages mark places. */
function nameInside(heading: HtmlNode): string {
  const links = Array.from(heading.getElementsByTagName('a'));
  return (
    links.map((link) => attributeOf(link, 'id') || attributeOf(link, 'name')).find((name) => name !== '') ??
    ''
  );
}

function numberOf(anchor: string | null): number | null {
  return anchor?.startsWith(MARK) ? Number(anchor.slice(MARK.length)) : null;
}
