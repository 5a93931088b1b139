import GithubSlugger from 'github-slugger';
import { readHeading } from '../read-heading.js';
import { docutilsId } from './docutils-id.js';

/** Makes the anchor of a heading. @param source  the heading as written @returns '' if it can't be known */
type Slug = (title: string, source: string) => string;

/** Letters without their accents, in ASCII. */
const ascii = (title: string): string => title.normalize('NFKD').replace(/[^\0-\x7F]/g, '');
const hyphenated = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

/** In lower case, letter by letter: `İ` stays one. */
const lower = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();

/** toc of Python-Markdown. */
export const pythonMarkdown: Slug = (title) =>
  ascii(title)
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-');

export const pymdown: Slug = (title) =>
  title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-');

export const sphinx: Slug = docutilsId;

const CODE = /`[^`]*`/g;

/** Versions differ in two or three hyphens outside code: later ones take them for a dash, which anchors leave out. */
const ifUndashed =
  (slug: Slug): Slug =>
  (title, source) =>
    source.replace(CODE, '').includes('--') ? '' : slug(title, source);

/** Dashes by default since mdBook 0.5. */
export const mdbook: Slug = ifUndashed((title) =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{N}_\s-]/gu, '')
    .replace(/\s/g, '-'),
);

/** Outside code and escapes, which are kept. */
const COMPONENTS = /(`[^`]*`|\\.)|<\/?[A-Z][^<>]*>/g;

/** Also VuePress: the package @mdit-vue/shared. Components, such as badges, are not in anchors. */
export const vitepress: Slug = (title, source) =>
  (/<[A-Z]/.test(source) ? readHeading(source.replace(COMPONENTS, '$1')).title : title)
    .normalize('NFKD')
    .replace(/[\u0300-\u036F\p{Cc}]/gu, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase();

/** Zola writes other letters in ASCII, by tables of its own. */
export const zola: Slug = (title) => {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '');
  return /[^\0-\x7F]/.test(plain) ? '' : hyphenated(plain);
};

/** Hexo keeps the case. Its versions differ in marks that HTML escapes; letters without accents have tables of their own. */
export const hexo: Slug = (title) => {
  const plain = title
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}/gu, '')
    .normalize('NFC');
  return /[&<>"']|(?![A-Za-z])\p{Script=Latin}/u.test(plain)
    ? ''
    : plain.replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g, '-').replace(/^-|-$/g, '');
};

export const railsGuides: Slug = (title) =>
  title
    .toLowerCase()
    .replaceAll('?', '-questionmark')
    .replaceAll('!', '-bang')
    .replaceAll('[]', '-squarebrackets')
    .replace(/[\\/`*_{}[\]()#+\-.!:,;|&<>^~='"]+/g, ' ')
    .trim()
    .replace(/\s+/g, '-');

export const github: Slug = (title) => GithubSlugger.slug(title);

/** Until version 0.144, Hugo took the source of a heading with its marks; a heading where this differs has no known anchor. */
const ofBoth =
  (slug: (text: string) => string): Slug =>
  (title, source) =>
    slug(title) === slug(source) ? slug(title) || 'heading' : '';

const hugoSlug = (text: string): string =>
  lower(text)
    .replace(/[^\p{L}\p{Nd}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** Dashes since Hugo 0.144. */
export const hugo: Slug = ifUndashed(ofBoth(hugoSlug));

export const hugoAscii: Slug = ifUndashed(
  ofBoth((text) => hugoSlug(text.normalize('NFD').replace(/[^\0-\x7F]/g, ''))),
);

/** The setting of Hugo that keeps the anchors of its former parser. */
export const blackfriday: Slug = ofBoth((text) =>
  lower(text)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, ''),
);

/** kramdown takes the source, with the addresses of links. */
export const kramdown: Slug = (_title, source) =>
  source
    .replace(/^[^a-zA-Z]+/, '')
    .replace(/[^a-zA-Z0-9 -]/g, '')
    .replaceAll(' ', '-')
    .toLowerCase() || 'section';

/** Two or three hyphens are a dash, which anchors leave out; not in code, which a title does not show. */
const withDashes =
  (slug: (text: string) => string): Slug =>
  (title, source) =>
    source.match(CODE)?.some((code) => code.includes('--')) ? '' : slug(title.replace(/-{2,3}/g, ''));

/** kramdown with the parser for GitHub's Markdown, the default of Jekyll. */
export const kramdownGfm: Slug = withDashes((text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-'),
);

/** The extension `auto_identifiers` of Pandoc. */
export const pandoc: Slug = withDashes(
  (text) =>
    lower(text)
      .replaceAll('...', '')
      .replace(/[^\p{L}\p{N}_.\-\s]/gu, '')
      .trim()
      .replace(/\s+/g, '-')
      .replace(/^\P{L}+/u, '') || 'section',
);

/** Mintlify's documentation says nothing of other marks, or of periods before a space. */
const MINTLIFY_WORDS = /^[\p{L}\p{N}](?:[\p{L}\p{N}\s'’()/&-]|\.(?=[\p{L}\p{N}]))*$/u;

export const mintlify: Slug = (title) =>
  MINTLIFY_WORDS.test(title)
    ? title.toLowerCase().replace(/[()]/g, '').replaceAll("'", '’').replace(/[\s.]/g, '-')
    : '';
