import { Html5Converter } from '@asciidoctor/core';

/** The part of Asciidoctor's nodes that we use; its types are incomplete. */
interface AsciidocNode {
  readonly id?: string | null;
  readonly type: string;
  readonly text: string | null;
  readonly title: string | null;
  readonly contentModel: string;
  hasTitle(): boolean;
  getAttribute(name: string): string | null;
  content(): Promise<string>;
}

interface AsciidocItem {
  hasText(): boolean;
  hasBlocks(): boolean;
  getText(): string;
  content(): Promise<string>;
}

type DescriptionItem = readonly [terms: readonly AsciidocItem[], description: AsciidocItem | null];

interface AsciidocList extends AsciidocNode {
  getItems(): readonly DescriptionItem[];
}

/** Writes HTML for readers of text: no tables for layout, terms with their text, footnotes where they are referred to. */
export class TextConverter extends Html5Converter {
  static override create(backend?: string, options?: object): TextConverter {
    return new TextConverter(backend, options);
  }

  override async convert_admonition(node: AsciidocNode): Promise<string> {
    const id = node.id ? ` id="${node.id}"` : '';
    const label = `<strong>${node.getAttribute('textlabel') ?? ''}:</strong>`;
    const title = node.hasTitle() ? ` ${node.title}` : '';
    const content = await node.content();
    if (node.contentModel === 'simple' && title === '') return `<div${id}><p>${label} ${content}</p></div>`;
    return `<div${id}><p>${label}${title}</p>\n${content}</div>`;
  }

  override async convert_dlist(node: AsciidocList): Promise<string> {
    const id = node.id ? ` id="${node.id}"` : '';
    const title = node.hasTitle() ? `<p>${node.title}</p>\n` : '';
    const items: string[] = [];
    // In order, since items can count.
    for (const item of node.getItems()) items.push(await descriptionItem(item));
    return `<div${id}>\n${title}<dl>\n${items.join('\n')}\n</dl>\n</div>`;
  }

  override async convert_video(node: AsciidocNode): Promise<string> {
    return titleOf(node);
  }

  override async convert_audio(node: AsciidocNode): Promise<string> {
    return titleOf(node);
  }

  override async convert_inline_footnote(node: AsciidocNode): Promise<string> {
    return node.type === 'xref' || !node.text ? '' : ` (${node.text})`;
  }
}

/** All that a reader of text sees of a film or a sound. */
function titleOf(node: AsciidocNode): string {
  return node.hasTitle() ? `<p>${node.title}</p>` : '';
}

/** The terms and their text; the rules for HTML keep them in one paragraph. */
async function descriptionItem([terms, description]: DescriptionItem): Promise<string> {
  const term = terms.map((own) => own.getText()).join(', ');
  const text = description?.hasText() ? `<p>${description.getText()}</p>\n` : '';
  const blocks = description?.hasBlocks() ? await description.content() : '';
  return `<dt>${term}</dt>\n<dd>${text}${blocks}</dd>`;
}
