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
  const options = new Map<string, string>();
  let key: string | undefined;
  let at = isYaml ? 1 : 0;
  for (; at < body.length; at++) {
    const text = body[at]?.text ?? '';
    const [, named, value = ''] = pattern.exec(text) ?? [];
    // Indented lines continue the value.
    const isMore = named === undefined && key !== undefined && /^[ \t]/.test(text);
    if (isYaml ? text === YAML_MARK : named === undefined && !isMore) break;
    key = named?.toLowerCase() ?? key;
    if (key !== undefined && text !== '')
      options.set(
        key,
        isMore ? `${options.get(key) ?? ''} ${text.trim()}`.trim() : value.trim().replace(QUOTED, '$2'),
      );
  }
  return {
    name,
    argument: argument.trim() === '' ? [] : [{ text: argument.trim(), line }],
    options,
    content: dedent(trimBlank(body.slice(isYaml ? at + 1 : at))),
    line,
  };
}
