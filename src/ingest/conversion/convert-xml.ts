import { decodeXml } from '../reading/decode-source.js';
import type { ConvertedText } from './converted-text.js';
import { escapeHtml, htmlPage, tableHtml, tag } from './html-text.js';
import { convertWikiExport } from './wiki/convert-mediawiki.js';
import {
  allText,
  childNamed,
  elementsIn,
  elementsNamed,
  readXml,
  withoutEntities,
  type XmlElement,
} from './xml-tree.js';

/** Elements of DocBook and DITA that are no text of the page. */
const HIDDEN =
  /^(?:info|(?!tutorial)\w+info|indexterm|toc|index|prolog|metadata|revhistory|xi:include|include|remark|draft-comment|required-cleanup|shortdesc-hidden|imageobject|videoobject|related-links|colspec|spanspec|navtitle|searchtitle|titleabbrev)$/;
const SECTIONS =
  /^(?:book|article|part|chapter|appendix|preface|section|sect[1-5]|simplesect|reference|refentry|refsection|refsect[1-3]|refsynopsisdiv|set|glossary|glossdiv|bibliography|qandaset|qandadiv|topic|task|concept|troubleshooting|glossentry-topic|example-section|dedication|acknowledgements|colophon|partintro|dita|taskbody-section)$/;
const BLOCKS: Readonly<Record<string, string>> = {
  para: 'p',
  simpara: 'p',
  formalpara: 'div',
  p: 'p',
  shortdesc: 'p',
  blockquote: 'blockquote',
  lq: 'blockquote',
  itemizedlist: 'ul',
  ul: 'ul',
  sl: 'ul',
  simplelist: 'ul',
  procedure: 'ol',
  orderedlist: 'ol',
  ol: 'ol',
  steps: 'ol',
  substeps: 'ol',
  'steps-unordered': 'ul',
  choices: 'ul',
  listitem: 'li',
  li: 'li',
  sli: 'li',
  member: 'li',
  step: 'li',
  substep: 'li',
  choice: 'li',
  variablelist: 'dl',
  glosslist: 'dl',
  dl: 'dl',
  parml: 'dl',
  term: 'dt',
  glossterm: 'dt',
  dt: 'dt',
  pt: 'dt',
  glossdef: 'dd',
  dd: 'dd',
  pd: 'dd',
  cmd: 'p',
};
const CODE_BLOCKS = /^(?:programlisting|screen|literallayout|synopsis|codeblock|pre|msgblock|lines)$/;
const CODE =
  /^(?:code|literal|command|option|filename|function|varname|parameter|constant|classname|methodname|type|userinput|computeroutput|prompt|systemitem|envar|property|tag|sgmltag|markup|package|uri|email|codeph|cmdname|filepath|apiname|parmname|varname|userinput|systemoutput|uicontrol-code|replaceable-code|keycode|interfacename|structname|errorname|errorcode|returnvalue|token|xmlelement|xmlatt)$/;
const STRONG = /^(?:b|uicontrol|wintitle|guibutton|guimenu|guilabel|guimenuitem|guisubmenu)$/;
const TABLES = /^(?:table|informaltable|simpletable|properties|choicetable)$/;
const TABLE_HEADS = ['sthead', 'prophead', 'chhead'];
const TABLE_ROWS = ['row', 'tr', 'strow', 'property', 'chrow'];
const NOTES = /^(?:note|tip|warning|caution|important|hazardstatement)$/;

/** Converts DocBook, DITA and exports of MediaWiki. Entities of the document, and other files, are not read. @throws MalformedDocumentError */
export function convertXml(bytes: Uint8Array): ConvertedText {
  const text = decodeXml(bytes).replaceAll('\r\n', '\n');
  if (/<mediawiki[\s>]/.test(text.slice(0, 4_096))) return convertWikiExport(text);
  const unknown = new Set<string>();
  const root = readXml(withoutEntities(text, unknown));
  const page = new DocbookPage();
  const html = elementsIn(root)
    .map((element) => page.section(element, 1))
    .join('');
  const [first] = unknown;
  const leftOut =
    first === undefined
      ? []
      : [`${unknown.size} entities are not known and stay as written, such as &${first};`];
  return htmlPage('', html, [...leftOut, ...page.leftOut(), ...unresolved(root)]);
}

/** The remark about what a document has from other places: included files, and elements and texts that it refers to. */
function unresolved(root: XmlElement): string[] {
  const targets: string[] = [];
  const visit = (element: XmlElement): void => {
    const { conref, conkeyref, keyref, href } = element.attributes;
    const target =
      conref ??
      conkeyref ??
      (element.name === 'include' ? href : undefined) ??
      (keyref !== undefined && allText(element).trim() === '' ? keyref : undefined);
    if (target !== undefined) targets.push(target);
    elementsIn(element).forEach(visit);
  };
  visit(root);
  const [first] = targets;
  return first === undefined
    ? []
    : [`${targets.length} references to texts elsewhere are not resolved, such as ${first}`];
}

class DocbookPage {
  private pictures = 0;

  leftOut(): string[] {
    return this.pictures > 0 ? [`${this.pictures} pictures without a text are left out`] : [];
  }

  /** A section with its title as a heading. */
  section(element: XmlElement, level: number): string {
    const title = titleIn(element);
    const heading = title
      ? `<h${Math.min(6, level)}${this.id(element)}>${this.inline(title)}</h${Math.min(6, level)}>\n`
      : '';
    const below = heading === '' ? level : level + 1;
    return heading + element.children.map((child) => this.child(child, { title, level: below })).join('');
  }

  private id({ attributes }: XmlElement): string {
    const id = attributes['xml:id'] ?? attributes['id'] ?? '';
    return id === '' ? '' : ` id="${escapeHtml(id)}"`;
  }

  private child(
    child: XmlElement | string,
    at: { readonly title?: XmlElement | undefined; readonly level: number },
  ): string {
    if (typeof child === 'string') return child.trim() === '' ? ' ' : escapeHtml(child);
    return child === at.title ? '' : this.block(child, at.level);
  }

  private blocks(element: XmlElement, level: number, title?: XmlElement): string {
    const isStep = /^(?:sub)?step$/.test(element.name);
    return element.children
      .map((child) =>
        // The same name as that of the facts about a section of DocBook.
        isStep && typeof child !== 'string' && child.name === 'info'
          ? tag('div', this.blocks(child, level))
          : this.child(child, { title, level }),
      )
      .join('');
  }

  private block(element: XmlElement, level: number): string {
    const { name } = element;
    if (HIDDEN.test(name)) return /info$/.test(name) ? this.abstracts(element, level) : '';
    if (SECTIONS.test(name)) return this.section(element, level);
    if (CODE_BLOCKS.test(name)) return this.code(element);
    if (TABLES.test(name)) return this.table(element, level);
    if (name === 'varlistentry' || name === 'glossentry' || name === 'dlentry' || name === 'plentry')
      return this.entry(element, level);
    if (NOTES.test(name)) return this.note(element, level);
    if (name === 'mediaobject' || name === 'image' || name === 'inlinemediaobject')
      return this.picture(element);
    const blockName = BLOCKS[name];
    if (blockName !== undefined) return `<${blockName}>${this.blocks(element, level)}</${blockName}>\n`;
    if (INLINE.test(name)) return this.mark(element);
    // Unknown elements, and those around others: their title is a line of its own.
    const title = titleIn(element);
    const heading = title ? tag('p', `<b>${this.inline(title)}</b>`) : '';
    return `<div>${heading}${this.blocks(element, level, title)}</div>\n`;
  }

  /** The texts among the facts about a section of DocBook. */
  private abstracts(facts: XmlElement, level: number): string {
    return elementsNamed(facts, 'abstract')
      .map((abstract) => this.block(abstract, level))
      .join('');
  }

  /** A term with its description. */
  private entry(element: XmlElement, level: number): string {
    const parts = elementsIn(element).filter(({ name }) => !HIDDEN.test(name));
    return parts
      .map((part) => {
        const isTerm = /^(?:term|glossterm|dt|pt|acronym|abbrev)$/.test(part.name);
        return isTerm ? `<dt>${this.inline(part)}</dt>` : `<dd>${this.blocks(part, level)}</dd>`;
      })
      .join('');
  }

  private note(element: XmlElement, level: number): string {
    const title = titleIn(element);
    const kind =
      element.name === 'hazardstatement' ? 'warning' : (element.attributes['type'] ?? element.name);
    const label = title ? this.inline(title) : escapeHtml(kind.charAt(0).toUpperCase() + kind.slice(1));
    return `<div><p><b>${label}</b></p>${this.blocks(element, level, title)}</div>\n`;
  }

  private code(element: XmlElement): string {
    const language = element.attributes['language'] ?? element.attributes['outputclass'] ?? '';
    const name = /^[\w+#.-]{1,30}$/.test(language) ? ` class="${escapeHtml(language)}"` : '';
    return `<pre><code${name.replace('="', '="language-')}>${escapeHtml(allText(element))}</code></pre>\n`;
  }

  private picture(element: XmlElement): string {
    const texts = elementsNamed(element, 'textobject', 'caption', 'alt').map((part) => allText(part).trim());
    const shown = [...texts, element.attributes['alt'] ?? ''].filter((text) => text !== '');
    if (shown.length === 0) this.pictures++;
    return shown.map((text) => tag('p', escapeHtml(text))).join('');
  }

  private table(element: XmlElement, level: number): string {
    const title = titleIn(element);
    const head = elementsNamed(element, 'thead', ...TABLE_HEADS);
    const rows = elementsNamed(element, ...TABLE_HEADS, ...TABLE_ROWS);
    const cells = rows.map((row) =>
      elementsIn(row).map((cell) => ({
        content: this.blocks(cell, level).trim(),
        columns: span(cell.attributes, 'colspan') || namedSpan(cell),
        rows: span(cell.attributes, 'rowspan') || Number(cell.attributes['morerows'] ?? 0) + 1,
      })),
    );
    const isHeaded = head.length > 0 || elementsNamed(element, 'th').length > 0;
    const empty = (cells[0] ?? []).map(({ columns }) => ({ content: '', columns }));
    const caption = title ? tag('p', this.inline(title)) : '';
    return caption + tableHtml(isHeaded ? cells : [empty, ...cells]);
  }

  private inline(element: XmlElement): string {
    return element.children
      .map((child) => (typeof child === 'string' ? escapeHtml(child) : this.mark(child)))
      .join('');
  }

  private mark(element: XmlElement): string {
    const { name, attributes } = element;
    if (HIDDEN.test(name)) return '';
    if (name === 'footnote' || name === 'fn') return ` (${escapeHtml(allText(element).trim())})`;
    if (name === 'quote' || name === 'q') return `“${this.inline(element)}”`;
    if (CODE.test(name))
      return allText(element).trim() === '' ? '' : `<code>${escapeHtml(allText(element))}</code>`;
    if (STRONG.test(name)) return `<b>${this.inline(element)}</b>`;
    if (/^(?:emphasis|i|cite|citetitle|firstterm)$/.test(name)) return `<i>${this.inline(element)}</i>`;
    if (name === 'menucascade' || name === 'menuchoice')
      return elementsIn(element)
        .map((part) => this.mark(part))
        .join(' &gt; ');
    if (name === 'sub' || name === 'subscript') return `<sub>${this.inline(element)}</sub>`;
    if (name === 'sup' || name === 'superscript') return `<sup>${this.inline(element)}</sup>`;
    const linkend = attributes['linkend'];
    const href =
      attributes['xlink:href'] ??
      attributes['url'] ??
      attributes['href'] ??
      (linkend === undefined ? '' : `#${linkend}`);
    const text = this.inline(element);
    if (/^(?:ulink|link|xref|olink)$/.test(name) && href !== '')
      return `<a href="${escapeHtml(href)}">${text.trim() === '' ? escapeHtml(href.replace(/^#/, '')) : text}</a>`;
    if (name === 'manvolnum') return `(${text})`;
    return BLOCKS[name] !== undefined || CODE_BLOCKS.test(name) ? this.block(element, 6) : text;
  }
}

const INLINE =
  /^(?:emphasis|phrase|link|ulink|xref|olink|footnote|fn|quote|q|i|b|u|sub|sup|subscript|superscript|ph|term-ref|keyword|citetitle|cite|citation|firstterm|acronym|abbrev|replaceable|application|productname|productnumber|trademark|keycap|keycombo|menuchoice|menucascade|gui\w+|uicontrol|wintitle|anchor|citerefentry|refentrytitle|manvolnum|tm|state|data|text|foreignphrase|wordasword|surname|firstname|orgname|mathphrase|code|literal|command|option|filename|function|varname|parameter|constant|classname|methodname|type|userinput|computeroutput|prompt|systemitem|envar|property|tag|sgmltag|markup|package|uri|email|codeph|cmdname|filepath|apiname|parmname|systemoutput|keycode|interfacename|structname|errorname|errorcode|returnvalue|token|xmlelement|xmlatt)$/;

const TITLES = ['title', 'refentrytitle', 'refname'];

/** The title of an element: its own, or the one among the facts about it. */
function titleIn(element: XmlElement): XmlElement | undefined {
  const title = childNamed(element, 'title');
  if (title) return title;
  const facts = elementsIn(element).find(({ name }) => /^(?:info|\w+info|refmeta|refnamediv)$/.test(name));
  return facts && TITLES.map((name) => childNamed(facts, name)).find((one) => one !== undefined);
}

const span = (attributes: XmlElement['attributes'], name: string): number =>
  Number(attributes[name] ?? 0) || 0;

/** The columns between two names such as `c1` and `c3`. */
function namedSpan({ attributes }: XmlElement): number {
  const [first, last] = [attributes['namest'], attributes['nameend']].map((name) =>
    Number(/(\d{1,3})$/.exec(name ?? '')?.[1]),
  );
  return first !== undefined && last !== undefined && last > first ? last - first + 1 : 1;
}
