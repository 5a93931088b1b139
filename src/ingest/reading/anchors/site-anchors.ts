import { splitAttributes } from '../heading-attributes.js';
import type { Block, HeadingBlock } from '../parsed-document.js';
import { readHeading } from '../read-heading.js';
import * as slugs from './slugs.js';

interface AnchorRules {
  /** '' for an anchor that can't be known. */
  readonly slug: (title: string, source: string) => string;
  /** The anchor of a title whose own is taken; null if it can't be known. @param count  from 1 */
  readonly repeated: (slug: string, count: number) => string | null;
  /** True if only equal slugs are counted, so that a heading can get the anchor of another one. */
  readonly isBlind?: boolean;
  /** True if the anchor of the first of equal titles can't be known either. */
  readonly needsParents?: boolean;
}

const withHyphen = (slug: string, count: number): string => `${slug}-${count}`;
/** Python-Markdown counts on from a number at the end. */
const withLowLine = (slug: string, count: number): string => {
  const [, stem, number] = /^(.*)_(\d{1,9})$/.exec(slug) ?? [];
  return stem === undefined ? `${slug}_${count}` : `${stem}_${Number(number) + count}`;
};
const unknown = (): null => null;

const RULES = {
  'python-markdown': { slug: (title) => slugs.pythonMarkdown(title, title) || '_1', repeated: withLowLine },
  pymdown: { slug: slugs.pymdown, repeated: withLowLine },
  // Sphinx counts all repeated names of a page, footnotes included.
  sphinx: { slug: slugs.sphinx, repeated: unknown },
  mdbook: { slug: slugs.mdbook, repeated: withHyphen },
  vitepress: { slug: slugs.vitepress, repeated: withHyphen },
  zola: { slug: slugs.zola, repeated: withHyphen },
  hugo: { slug: slugs.hugo, repeated: withHyphen },
  'hugo-ascii': { slug: slugs.hugoAscii, repeated: withHyphen },
  'hugo-blackfriday': { slug: slugs.blackfriday, repeated: withHyphen },
  kramdown: { slug: slugs.kramdown, repeated: withHyphen, isBlind: true },
  'kramdown-gfm': { slug: slugs.kramdownGfm, repeated: withHyphen, isBlind: true },
  hexo: { slug: slugs.hexo, repeated: withHyphen, isBlind: true },
  'rails-guides': { slug: slugs.railsGuides, repeated: unknown, needsParents: true },
  pandoc: { slug: slugs.pandoc, repeated: withHyphen },
  mintlify: { slug: slugs.mintlify, repeated: (slug, count) => `${slug}-${count + 1}` },
  docusaurus: { slug: slugs.github, repeated: withHyphen },
  // A generator with settings of which the anchors are not known.
  declared: { slug: () => '', repeated: unknown },
} as const satisfies Record<string, AnchorRules>;

/** Generators of sites, by their rules for anchors; other sites use GitHub's, or nearly. */
export type SiteRules = keyof typeof RULES;

/** Marks of a template language: what stands there is not known. */
const TEMPLATE = /\{[{%]/;

/** A heading of Markdown without its marks at both ends; its title if the line is not that of the heading. */
function sourceOf({ title }: HeadingBlock, line: string): string {
  const content = line.replace(/^[ \t]*#{1,6}(?=[ \t])/, '').replace(/[ \t]#+[ \t]*$/, '');
  const source = splitAttributes(content.trim()).text;
  return readHeading(source).title === title ? source : title;
}

/**
 * Gives the headings of a Markdown page the anchors that its site makes; '' where they can't be known.
 * @param lines  of the page; without them, headings have no marks
 */
export function withSiteAnchors(
  blocks: readonly Block[],
  site: SiteRules,
  lines: readonly string[] = [],
): readonly Block[] {
  const { slug, repeated, isBlind = false, needsParents = false }: AnchorRules = RULES[site];
  const taken = new Set(blocks.map((block) => (block.kind === 'heading' ? block.anchor : null)));
  const counts = new Map<string, number>();
  const repeats = new Set<string>();
  const free = (own: string): string => {
    for (let count = counts.get(own) ?? 0; ; count++) {
      const next = count === 0 ? own : repeated(own, count);
      if (next === null) repeats.add(own);
      if (next === null) return '';
      counts.set(own, count + 1);
      if (!taken.has(next)) return next;
      if (isBlind) return '';
    }
  };
  const given = blocks.map((block) => {
    if (block.kind !== 'heading' || block.anchor !== null) return block;
    if (block.isHtml) return { ...block, anchor: '' };
    const source = sourceOf(block, lines[block.line - 1] ?? '');
    const own = TEMPLATE.test(source) ? '' : slug(block.title, source);
    const anchor = own === '' ? '' : free(own);
    taken.add(anchor);
    return { ...block, anchor };
  });
  if (!needsParents) return given;
  return given.map((block, at) =>
    block.kind === 'heading' && block !== blocks[at] && repeats.has(block.anchor ?? '')
      ? { ...block, anchor: '' }
      : block,
  );
}
