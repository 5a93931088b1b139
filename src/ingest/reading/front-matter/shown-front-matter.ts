import type { BodyBlock } from '../parsed-document.js';
import { isMap } from './read-header.js';

/** Keys whose texts the built page shows: titles and texts of home pages, descriptions of sections. */
const SHOWN =
  /^(?:title|name|text|tagline|heading|headline|subtitle|lead|description|details|summary|excerpt|content)$/i;
/** An operation of an API, of which a generator makes the page: `POST /orders/{id}`, after the file that describes it. */
const OPERATION_KEY = /^(?:openapi|asyncapi|api)$/;
const OPERATION = /(?:^|\s)((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s+\S.*)$/i;
const MAX_DEPTH = 6;
const MAX_TEXTS = 200;

type FrontMatter = Readonly<Record<string, unknown>>;

/** The texts of front matter that readers see on a page that has no other text; first the description. */
export function shownFrontMatter(frontMatter: FrontMatter): readonly BodyBlock[] {
  const { title, head, ...others } = frontMatter;
  const texts = [...generatedTexts(frontMatter), ...shownTexts(others, 0)];
  const found = texts.length > 0 ? texts : [title].filter(isText);
  return [...new Set(found)].slice(0, MAX_TEXTS).map(toBlock);
}

/** The text of a home page above its other text, and the description and operation of an API of which a page is made. */
export function generatedText(frontMatter: FrontMatter): readonly BodyBlock[] {
  return generatedTexts(frontMatter).map(toBlock);
}

/** A home page of VitePress or VuePress. The layout of Jekyll that has the same name shows no front matter. */
const isHome = ({ layout, home, hero, features }: FrontMatter): boolean =>
  home === true || (layout === 'home' && (hero ?? features) !== undefined);

/** The title that a home page shows; '' for another page. */
export function homeTitle(frontMatter: FrontMatter): string {
  const { hero } = frontMatter;
  return isHome(frontMatter) && isMap(hero) ? [hero['name'], hero['text']].filter(isText).join(' ') : '';
}

function generatedTexts(frontMatter: FrontMatter): readonly string[] {
  const { title, description, head, ...others } = frontMatter;
  if (isHome(frontMatter)) return shownTexts(others, 0);
  const operations = Object.entries(frontMatter).flatMap(([key, value]) => {
    const [, operation] =
      OPERATION_KEY.test(key) && isText(value) ? (OPERATION.exec(value.trim()) ?? []) : [];
    return operation === undefined ? [] : [`\`${operation.replace(/\s+/g, ' ')}\``];
  });
  return operations.length === 0 ? [] : [description, ...operations].filter(isText);
}

function shownTexts(value: unknown, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => (isText(item) ? [] : shownTexts(item, depth + 1)));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, own]) =>
    isText(own) ? (SHOWN.test(key) ? [own] : []) : shownTexts(own, depth + 1),
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const toBlock = (text: string): BodyBlock => ({ kind: 'text', text: text.trim(), line: 1 });
