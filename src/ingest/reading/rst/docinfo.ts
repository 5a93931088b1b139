import { NOTHING_READ, type ReadHeader } from '../front-matter/read-header.js';
import type { WrittenFact } from '../parsed-document.js';
import { FIELD } from './blocks/fields.js';
import { endOfIndented, isBlank, type SourceLine } from './source-line.js';

const META = /^\.\. meta::[ \t]*$/;

interface Docinfo extends ReadHeader {
  /** Position of the first line below the field list at the top, which is for the build: `:orphan:`. */
  readonly end: number;
}

/** Reads the fields at the top of a file, and those of its `meta` directive, as front matter. */
export function readDocinfo(lines: readonly SourceLine[]): Docinfo {
  const own = fieldsFrom(lines, 0);
  const meta = lines.findIndex(({ text }) => META.test(text));
  const below = meta < 0 ? [] : lines.slice(meta + 1, endOfIndented(lines, meta + 1));
  const written = [...fieldsFrom(below.map(outdented), 0).written, ...own.written];
  const frontMatter = Object.fromEntries(written.map(({ key, value }) => [key, value]));
  return written.length > 0
    ? { frontMatter, written, problems: [], end: own.end }
    : { ...NOTHING_READ, end: own.end };
}

const outdented = ({ text, line }: SourceLine): SourceLine => ({ text: text.trimStart(), line });

function fieldsFrom(
  lines: readonly SourceLine[],
  from: number,
): { readonly written: WrittenFact[]; readonly end: number } {
  const written: WrittenFact[] = [];
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const own = lines[at];
    if (!own || isBlank(own)) continue;
    const [head, name = ''] = FIELD.exec(own.text) ?? [];
    if (head === undefined) break;
    end = endOfIndented(lines, at + 1);
    const more = lines.slice(at + 1, end).map(({ text }) => text.trim());
    const value = [own.text.slice(head.length), ...more].join(' ').trim();
    // Sphinx takes the title from the headings.
    if (value !== '' && !/^title$/i.test(name))
      written.push({ below: 'top', key: name.trim().toLowerCase(), value, line: own.line });
    at = end - 1;
  }
  return { written, end };
}
