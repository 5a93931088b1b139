import type { BlockRule, RstConverter } from '../rst-converter.js';
import { isBlank, type SourceLine } from '../source-line.js';
import { convertGridTable } from '../tables/grid-table.js';
import { simpleTableRule } from '../tables/simple-table.js';
import { flatParagraph } from '../writing/paragraph.js';
import { convertExplicit } from './explicit-markup.js';
import { convertField } from './fields.js';
import { convertBullets, convertDefinition, convertNumbered, convertOptions } from './lists.js';
import { convertDoctest, convertLineBlock, convertParagraph, convertQuotation } from './paragraphs.js';
import { convertTitle, convertTransition } from './titles.js';

/** Deeper nesting is plain text: each level reads its lines again. */
const MAX_DEPTH = 24;

/** Converts blocks one after the other. The first rule that accepts a line converts the block. */
export function convertBlocks(
  rst: RstConverter,
  lines: readonly SourceLine[],
  depth: number,
): readonly SourceLine[] {
  if (depth > MAX_DEPTH) return flatParagraph(rst, lines);
  const rules: readonly BlockRule[] = [
    convertBlank,
    convertQuotation,
    convertExplicit,
    convertTitle,
    convertGridTable,
    simpleTableRule(),
    convertTransition,
    convertDoctest,
    convertLineBlock,
    convertBullets,
    convertNumbered,
    convertField,
    convertOptions,
    convertDefinition,
    convertParagraph,
  ];
  const out: SourceLine[] = [];
  for (let at = 0; at < lines.length;) {
    const converted = firstOf(rules, (rule) => rule(lines, at, { rst, depth }));
    const isAfterBlank = isBlank(out.at(-1));
    for (const own of isAfterBlank ? withoutStart(converted?.lines ?? []) : (converted?.lines ?? []))
      out.push(own);
    at = Math.max(at + 1, converted?.end ?? 0);
  }
  return out;
}

/** One blank line between blocks is enough. */
function withoutStart(lines: readonly SourceLine[]): readonly SourceLine[] {
  const start = lines.findIndex((own) => !isBlank(own));
  return start < 0 ? [] : lines.slice(start);
}

const convertBlank: BlockRule = (lines, at) => {
  const own = lines[at];
  return own && isBlank(own) ? { lines: [own], end: at + 1 } : null;
};

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | null): R | null {
  for (const each of items) {
    const found = find(each);
    if (found !== null) return found;
  }
  return null;
}
