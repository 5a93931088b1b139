import { readHeading } from '../read-heading.js';
import { splitFrontMatter, type SplitText, textAfter } from './split-front-matter.js';

/** Up to three entries of Pandoc; indented lines continue an entry. */
const PANDOC =
  /^%(?:[ \t][^\n]*)?(?:\n[ \t]+\S[^\n]*)*(?:\n%(?:[ \t][^\n]*)?(?:\n[ \t]+\S[^\n]*)*){0,2}(?=\n[ \t]*\n|\n*$)/;
const PANDOC_KEYS = ['title', 'author', 'date'];
/** The lines up to the first blank one, if they begin with a title. */
const METADATA = /^title:[ \t]+\S[^\n]*\n(?:[ \t]*\S[^\n]*(?:\n|$)){1,100}?(?=[ \t]*\n|$)/i;
const ENTRY = /^([A-Za-z][\w .-]{0,60}):(?:[ \t]|$)/;

/** Splits front matter, or the lines at the top of a Markdown page that Pandoc or MultiMarkdown read as its title. */
export function splitHeader(text: string): SplitText {
  const split = splitFrontMatter(text);
  if (split.bodyLine > 1 || split.problems.length > 0) return split;
  return splitPandoc(text) ?? splitMetadata(text) ?? split;
}

function splitPandoc(text: string): SplitText | null {
  const block = text.startsWith('%') ? PANDOC.exec(text)?.[0] : undefined;
  if (block === undefined) return null;
  return withEntries(
    text,
    block.split(/\n(?=%)/).map((entry, at) => [PANDOC_KEYS[at] ?? '', entry.slice(1)]),
    block.length + 1,
  );
}

/** MultiMarkdown, as Python-Markdown and Pelican read it too. A title alone may be a sentence of the text. */
function splitMetadata(text: string): SplitText | null {
  const block = METADATA.exec(text.slice(0, 20_000))?.[0];
  const entries = block?.trimEnd().split(/\n(?![ \t])/) ?? [];
  if (block === undefined || entries.length < 2 || !entries.every((entry) => ENTRY.test(entry))) return null;
  const pairs = entries.map((entry): readonly [string, string] => {
    const [head = '', key = ''] = ENTRY.exec(entry) ?? [];
    return [key.trim().toLowerCase().replace(/ +/g, '_'), entry.slice(head.length)];
  });
  return withEntries(text, pairs, block.length);
}

function withEntries(text: string, pairs: readonly (readonly [string, string])[], end: number): SplitText {
  const found = pairs.map(([key, value], at) => {
    const plain = value.replace(/\s+/g, ' ').trim();
    return {
      below: 'top' as const,
      key,
      value: key === 'title' ? readHeading(plain).title : plain,
      line: at + 1,
    };
  });
  const written = found.filter(({ value }) => value !== '');
  const frontMatter = Object.fromEntries(written.map(({ key, value }) => [key, value]));
  return textAfter(text, end, { frontMatter, written, problems: [] });
}
