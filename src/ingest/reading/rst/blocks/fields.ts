import type { BlockRule } from '../rst-converter.js';
import { dedent, endOfIndented } from '../source-line.js';
import { item } from '../writing/item.js';
import { lead } from '../writing/lead.js';

/** `:name: body`; a colon before a backtick is the end of a role. */
export const FIELD = /^:(?![:\s])((?:[^:\\]|\\.|:(?![\s`]|$)){1,200}):(?:\s+|$)/;
const PARAMETER = /^(?:param|parameter|arg|argument|key|keyword|kwarg|var|ivar|cvar)\s+(.+)$/;
const RAISED = /^(?:raises?|except|exception)\s+(.+)$/;
const TYPE = /^(?:var)?type\s+(.+)$/;
const NAMES: Readonly<Record<string, string>> = {
  return: 'Returns',
  returns: 'Returns',
  rtype: 'Return type',
  yields: 'Yields',
};

/** A field becomes an item: `:param int size: bytes` is "`size` (int): bytes". */
export const convertField: BlockRule = (lines, at, { rst, depth }) => {
  const own = lines[at];
  const field = FIELD.exec(own?.text ?? '');
  if (!own || !field) return null;
  const [{ length: width }, name = ''] = field;
  const end = endOfIndented(lines, at + 1);
  const body = [{ ...own, text: own.text.slice(width) }, ...dedent(lines.slice(at + 1, end))];
  const title = `${titleOf(rst.plain(name))}:`;
  return {
    lines: item(
      '-',
      lead(title, rst.blocks(body, depth + 1), { line: own.line, isOwnLine: false }),
      own.line,
    ),
    end,
  };
};

function titleOf(name: string): string {
  const parameter = PARAMETER.exec(name)?.[1]?.trim();
  if (parameter !== undefined) {
    const at = parameter.lastIndexOf(' ');
    return at < 0 ? `\`${parameter}\`` : `\`${parameter.slice(at + 1)}\` (${parameter.slice(0, at)})`;
  }
  const raised = RAISED.exec(name)?.[1];
  if (raised !== undefined) return `Raises \`${raised}\``;
  const typed = TYPE.exec(name)?.[1];
  return typed === undefined ? (NAMES[name] ?? name) : `Type of \`${typed}\``;
}
