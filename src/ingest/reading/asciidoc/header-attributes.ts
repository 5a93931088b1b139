import { NOTHING_READ, type ReadHeader } from '../front-matter/read-header.js';
import type { WrittenFact } from '../parsed-document.js';

const ATTRIBUTE = /^:(\w[\w-]{0,62}):[ \t]+(\S.*)$/;
/** The version, the date and a remark below the line of authors. */
const REVISION = /^(?:v?\d[\w.-]{0,40},[ \t]*)?(\d{4}-\d{2}-\d{2})(?::.*)?$/;
/** Attributes with other names in front matter; those of Antora's pages begin with `page-`. */
const NAMES: Readonly<Record<string, string>> = { revdate: 'date', docdate: 'date' };
/** More lines are not read; headers are shorter. */
const MAX_LINES = 300;

/** Reads the attributes at the top of an AsciiDoc page as front matter. @param firstLine  of the text in its file */
export function headerAttributes(text: string, firstLine: number): ReadHeader {
  const lines = headerLines(text);
  const facts = lines.flatMap((own, at): WrittenFact[] => {
    const [, name = '', value = ''] = ATTRIBUTE.exec(own) ?? [];
    const date = name === '' ? REVISION.exec(own)?.[1] : undefined;
    const key = date === undefined ? name.replace(/^page-(?=.)/, '').toLowerCase() : 'revdate';
    // Attributes in values are not resolved, and `title` does not change the heading of the page.
    if (key === '' || key === 'title' || value.includes('{')) return [];
    return [{ below: 'top', key: NAMES[key] ?? key, value: date ?? value.trimEnd(), line: firstLine + at }];
  });
  if (facts.length === 0) return NOTHING_READ;
  const frontMatter = Object.fromEntries(facts.map(({ key, value }) => [key, value]));
  return { frontMatter, written: facts, problems: [] };
}

/** The lines up to the first blank one below the title; attributes may stand above the title. */
function headerLines(text: string): readonly string[] {
  const lines = text.split('\n', MAX_LINES);
  const isHeader = (line: string): boolean => /^(?:[ \t]*$|\/\/|:[\w!-]{1,80}:)/.test(line);
  const start = lines.findIndex((line) => !isHeader(line));
  const hasTitle = /^= \S/.test(lines[start] ?? '');
  if (!hasTitle) return lines.slice(0, Math.max(0, start));
  const end = lines.findIndex((line, at) => at > start && line.trim() === '');
  return end < 0 ? lines : lines.slice(0, end);
}
