import { SaxesParser } from 'saxes';
import { MalformedDocumentError } from '../reading/parsed-document.js';

/** An element of XML. Names have no prefix; those of attributes are as written. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

/** Levels of elements. Real documents have about 30. */
const MAX_DEPTH = 300;

/** Reads XML without any other file: entities of the document itself are unknown to it. @throws MalformedDocumentError */
export function readXml(text: string): XmlElement {
  interface Open extends XmlElement {
    readonly children: (XmlElement | string)[];
  }
  const root: Open = { name: '', attributes: {}, children: [] };
  const open = [root];
  const parser = new SaxesParser({ xmlns: false });
  const add = (text: string): void => void open.at(-1)?.children.push(text);
  parser.on('error', (error) => {
    throw new MalformedDocumentError(0, `its XML is damaged (${error.message})`);
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MAX_DEPTH) throw new MalformedDocumentError(0, 'its XML is nested too deeply');
    const element: Open = { name: localName(name), attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text.replace(/^\uFEFF/, '')).close();
  return root;
}

const XML_ENTITY = /^(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6})$/;
/** Texts that a document defines; longer ones, and those with entities in them, stay as written. */
const MAX_ENTITY_CHARS = 500;
/** Characters that entities may add. */
const MAX_ADDED = 2_000_000;

/** The text with its own short entities in place, and with the names of others. */
export function withoutEntities(text: string, unknown: Set<string>): string {
  const entities = new Map<string, string>();
  for (const [, name = '', double, single] of text
    .slice(0, 200_000)
    .matchAll(/<!ENTITY\s{1,20}([\w.-]{1,100})\s{1,20}(?:"([^"&%]{0,500})"|'([^'&%]{0,500})')\s{0,20}>/g))
    entities.set(name, (double ?? single ?? '').slice(0, MAX_ENTITY_CHARS));
  let added = 0;
  return text.replace(/&([\w.#-]{1,100});/g, (written, name: string) => {
    if (XML_ENTITY.test(name)) return written;
    const value = entities.get(name);
    added += value?.length ?? 0;
    if (value !== undefined && added < MAX_ADDED) return value;
    unknown.add(name);
    return `&amp;${name};`;
  });
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const isElement = (child: XmlElement | string): child is XmlElement => typeof child !== 'string';

export const elementsIn = ({ children }: XmlElement): XmlElement[] => children.filter(isElement);

export function childNamed(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent && elementsIn(parent).find((child) => child.name === name);
}

/** The elements with a name at any depth, in the order of the document; not those within one of them. */
export function elementsNamed(parent: XmlElement, ...names: readonly string[]): XmlElement[] {
  return elementsIn(parent).flatMap((child) =>
    names.includes(child.name) ? [child] : elementsNamed(child, ...names),
  );
}

/** All text below an element. */
export function allText({ children }: XmlElement): string {
  return children.map((child) => (isElement(child) ? allText(child) : child)).join('');
}
