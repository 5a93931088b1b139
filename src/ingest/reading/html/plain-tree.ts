/** An element of a plain page, or a text. */
export type PlainNode = string | PlainElement;
export interface PlainElement {
  readonly name: string;
  readonly attributes: string;
  readonly children: PlainNode[];
}

const TAG = /<(\/?)([a-z][a-z\d]*)((?:\s[^<>]*|\/)?)>|[^<]+|</y;
const VOID = /^(?:area|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const ENTITY = /&(?:(amp|lt|gt|quot);)?/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const MAX_DEPTH = 40;

/** Thrown for a part that needs the document model. */
export class NotPlain extends Error {}

/** A text that is neither an entity that is not known, nor a character that the parser of HTML replaces. */
export function decodeText(text: string): string {
  if (/[\0\f\r]/.test(text)) throw new NotPlain();
  return text.replace(ENTITY, (_, name: string | undefined) => {
    if (name === undefined) throw new NotPlain();
    return ENTITIES[name] ?? '';
  });
}

/** Reads the element that begins at an offset. @returns the offset after it */
export function readElement(html: string, at: number, into: PlainNode[]): number {
  const open: { readonly element: PlainElement; readonly siblings: PlainNode[] }[] = [];
  let siblings = into;
  TAG.lastIndex = at;
  for (let found = TAG.exec(html); found; found = TAG.exec(html)) {
    const [text, slash = '', name, attributes = ''] = found;
    if (name === undefined) {
      if (text === '<') throw new NotPlain();
      siblings.push(text);
    } else if (slash !== '') {
      const last = open.pop();
      if (last?.element.name !== name) throw new NotPlain();
      ({ siblings } = last);
    } else {
      const element: PlainElement = { name, attributes, children: [] };
      siblings.push(element);
      if (!VOID.test(name)) {
        if (open.length >= MAX_DEPTH) throw new NotPlain();
        open.push({ element, siblings });
        siblings = element.children;
      }
    }
    if (open.length === 0) return TAG.lastIndex;
  }
  throw new NotPlain();
}

export function plainText(node: PlainNode): string {
  if (typeof node === 'string') return decodeText(node);
  if (node.name === 'br') return ' ';
  return node.children.map(plainText).join('');
}

/** The elements among nodes, between which there must be nothing but white space. */
export function plainElements(nodes: readonly PlainNode[]): PlainElement[] {
  return nodes.filter((node): node is PlainElement => {
    if (typeof node === 'object') return true;
    if (node.trim() !== '') throw new NotPlain();
    return false;
  });
}

/** Joins texts as turndown does: at most one blank line between them. */
export class JoinedBlocks {
  private readonly parts: string[] = [];
  private newlines = 0;

  add(text: string): void {
    const from = text.search(/[^\n]|$/);
    let end = text.length;
    while (end > from && text[end - 1] === '\n') end--;
    const before = Math.min(2, Math.max(this.newlines, from));
    if (from === text.length) {
      this.newlines = before;
      return;
    }
    this.parts.push('\n'.repeat(before), text.slice(from, end));
    this.newlines = text.length - end;
  }

  text(): string {
    return this.parts.join('') + '\n'.repeat(this.newlines);
  }
}
