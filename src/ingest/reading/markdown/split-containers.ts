import type { Block } from '../parsed-document.js';
import { findCode, isInSpan } from './find-code.js';

/** A tag of a component, or a shortcode of Hugo. */
const TAG =
  /<(\/?)([A-Z][\w.]{0,60})((?:\s(?:[^<>"'`]|"[^"\n]*"|'[^'\n]*')*?)?)(\/?)>|\{\{([<%])\s{0,20}(\/?)\s{0,20}([\w/-]{1,60})([^{}]{0,500}?)(\/?)[>%]\}\}/g;
const MAY_HAVE = /<\/[A-Z]|\{\{[<%]\s*\//;
const INDENT = /^[ \t>]*/;

interface TagAt {
  readonly name: string;
  readonly isEnd: boolean;
  readonly start: number;
  readonly end: number;
}

function tagsIn(line: string): TagAt[] {
  return Array.from(line.matchAll(TAG)).flatMap((found) => {
    const {
      0: tag,
      1: slash,
      2: component,
      4: closed,
      6: end,
      7: shortcode,
      9: isSelf,
      index: start,
    } = found;
    if (closed || isSelf) return [];
    const isEnd = slash === '/' || end === '/';
    return [{ name: component ?? shortcode ?? '', isEnd, start, end: start + tag.length }];
  });
}

/** The offsets at which a line that is one container after another is split. */
function offsetsIn(line: string): number[] {
  const from = INDENT.exec(line)?.[0].length ?? 0;
  const open: TagAt[] = [];
  const offsets: number[] = [];
  let at = from;
  for (const tag of tagsIn(line)) {
    // Text outside the containers: they are parts of a sentence.
    if (open.length === 0 && line.slice(at, tag.start).trim() !== '') return [];
    if (!tag.isEnd) open.push(tag);
    else if (open.pop()?.name !== tag.name) return [];
    offsets.push(tag.start, tag.end);
    at = tag.end;
  }
  const isWhole = open.length === 0 && line.slice(at).trim() === '';
  return isWhole ? offsets.filter((offset) => offset > from && offset < line.trimEnd().length) : [];
}

function splitLine(line: string): string {
  if (!MAY_HAVE.test(line)) return line;
  const prefix = INDENT.exec(line)?.[0] ?? '';
  let from = 0;
  const parts = [...new Set(offsetsIn(line)), line.length].map((to) => {
    const part = line.slice(from, to).trim();
    from = to;
    return part;
  });
  return parts.length === 1
    ? line
    : parts
        .filter(Boolean)
        .map((part) => prefix + part)
        .join('\n');
}

/**
 * Writes the tags of containers on lines of their own, if a line is one container after another:
 * `<Tab title="Mac">Run it.</Tab>`. Tags on their own lines are syntax for everything that reads sections.
 */
export function splitContainers(block: Block): Block {
  if (block.kind === 'heading' || block.kind === 'fence' || !MAY_HAVE.test(block.text)) return block;
  const code = findCode(block.text).filter(({ start, end }) => block.text.slice(start, end).includes('\n'));
  let at = 0;
  const lines = block.text.split('\n').map((line) => {
    const start = at;
    at += line.length + 1;
    return isInSpan(code, start) ? line : splitLine(line);
  });
  return { ...block, text: lines.join('\n') };
}
