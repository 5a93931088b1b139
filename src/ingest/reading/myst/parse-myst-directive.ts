import type { Directive } from '../rst/directives/parse-directive.js';
import { dedent, type SourceLine, trimBlank } from '../rst/source-line.js';

const OPTION = /^:([A-Za-z][\w.-]{0,60}):(?: +(.*))?$/;
const YAML_OPTION = /^([A-Za-z][\w.-]{0,60}):(?: +(.*))?$/;
const YAML_MARK = '---';
const QUOTED = /^(["'])(.*)\1$/;

interface MystDirective {
  /** In lower case. */
  readonly name: string;
  readonly argument: string;
  readonly line: number;
  readonly body: readonly SourceLine[];
}

/** Reads the options of a directive, in lines with colons or between two lines of `---`, and its content. */
export function parseMystDirective({ name, argument, line, body }: MystDirective): Directive {
  const isYaml = body[0]?.text === YAML_MARK && body.slice(1).some(({ text }) => text === YAML_MARK);
  const pattern = isYaml ? YAML_OPTION : OPTION;
  const parts = new Map<string, string[]>();
  let key: string | undefined;
  let at = isYaml ? 1 : 0;
  for (; at < body.length; at++) {
    const text = body[at]?.text ?? '';
    const [, named, value = ''] = pattern.exec(text) ?? [];
    if (isYaml ? text === YAML_MARK : named === undefined) break;
    key = named?.toLowerCase() ?? key;
    if (key === undefined) continue;
    const before = named === undefined ? (parts.get(key) ?? []) : [];
    before.push(named === undefined ? text.trim() : value.trim());
    parts.set(key, before);
  }
  const options = new Map(
    [...parts].map(([name, texts]) => [name, texts.join(' ').trim().replace(QUOTED, '$2')] as const),
  );
  return {
    name,
    argument: argument.trim() === '' ? [] : [{ text: argument.trim(), line }],
    options,
    content: dedent(trimBlank(body.slice(isYaml ? at + 1 : at))),
    line,
  };
}
