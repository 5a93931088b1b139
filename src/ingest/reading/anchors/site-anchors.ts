import { docutilsId } from './docutils-id.js';
import type { Block } from '../parsed-document.js';

/** Generators of sites that make other anchors than GitHub; the others use its rules, or nearly. */
export type SiteRules = 'python-markdown' | 'pymdown' | 'sphinx' | 'mdbook' | 'vitepress' | 'zola';

interface AnchorRules {
  readonly slug: (title: string) => string;
  /** The anchor of a title whose own is taken; null if it can't be known. @param count  from 1 */
  readonly repeated: (slug: string, count: number) => string | null;
}

/** Letters without their accents, in ASCII. */
const ascii = (title: string): string => title.normalize('NFKD').replace(/[^\0-\x7F]/g, '');
const hyphenated = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
const withHyphen = (slug: string, count: number): string => `${slug}-${count}`;
/** Python-Markdown counts on from a number at the end. */
const withLowLine = (slug: string, count: number): string => {
  const [, stem, number] = /^(.*)_(\d{1,9})$/.exec(slug) ?? [];
  return stem === undefined ? `${slug}_${count}` : `${stem}_${Number(number) + count}`;
};

const RULES: Readonly<Record<SiteRules, AnchorRules>> = {
  'python-markdown': {
    slug: (title) =>
      ascii(title)
        .replace(/[^\w\s-]/g, '')
        .trim()
        .toLowerCase()
        .replace(/[-\s]+/g, '-'),
    repeated: withLowLine,
  },
  pymdown: {
    slug: (title) =>
      title
        .normalize('NFC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    repeated: withLowLine,
  },
  // Sphinx counts all repeated names of a page, footnotes included.
  sphinx: { slug: docutilsId, repeated: () => null },
  mdbook: {
    slug: (title) =>
      title
        .trim()
        .toLowerCase()
        .replace(/[^\p{Alphabetic}\p{N}_\s-]/gu, '')
        .replace(/\s/g, '-'),
    repeated: withHyphen,
  },
  // Also VuePress: the package @mdit-vue/shared.
  vitepress: {
    slug: (title) =>
      title
        .normalize('NFKD')
        .replace(/[\u0300-\u036F\p{Cc}]/gu, '')
        .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .replace(/^(\d)/, '_$1')
        .toLowerCase(),
    repeated: withHyphen,
  },
  // Zola writes other letters in ASCII, by tables of its own.
  zola: {
    slug: (title) => {
      const plain = title.normalize('NFKD').replace(/\p{M}/gu, '');
      return /[^\0-\x7F]/.test(plain) ? '' : hyphenated(plain);
    },
    repeated: withHyphen,
  },
};

/** Gives the headings of a Markdown page the anchors that its site makes; '' where they can't be known. */
export function withSiteAnchors(blocks: readonly Block[], site: SiteRules): readonly Block[] {
  const { slug, repeated } = RULES[site];
  const taken = new Set(blocks.map((block) => (block.kind === 'heading' ? block.anchor : null)));
  const counts = new Map<string, number>();
  const free = (own: string): string => {
    for (let count = counts.get(own) ?? 0; ; count++) {
      const next = count === 0 ? own : repeated(own, count);
      if (next === null) return '';
      counts.set(own, count + 1);
      if (!taken.has(next) && next !== '') return next;
    }
  };
  return blocks.map((block) => {
    if (block.kind !== 'heading' || block.anchor !== null) return block;
    if (block.isHtml) return { ...block, anchor: '' };
    const own = slug(block.title);
    const anchor = own === '' && site !== 'python-markdown' ? '' : free(own);
    taken.add(anchor);
    return { ...block, anchor };
  });
}
