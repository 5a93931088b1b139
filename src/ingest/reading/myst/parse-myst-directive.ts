import type { Directive } from '../rst/directives/parse-directive.js';
import { dedent, type SourceLine, trimBlank } from '../rst/source-line.js';

const OPTION = /^:([A-Za-z][\w.-]{0,60}):(?: +(.*))?$/;
const YAML_OPTION = /^([A-Za-z][\w.-]{0,60}):(?: +(.*))?$/;
const YAML_MARK = '---';

interface MystFence {
  /** In lower case. */
  readonly name: string;
  readonly argument: string;
  readonly line: number;
  readonly body: readonly SourceLine[];
}

/** Reads the options of a directive, in lines with colons or between two lines of `---`, and its content. */
export function parseMystDirective({ name, argument, line, body }: MystFence): Directive {
  const yamlEnd =
    body[0]?.text === YAML_MARK ? body.findIndex((own, at) => at > 0 && own.text === YAML_MARK) : -1;
  const firstOther = body.findIndex(({ text }) => !OPTION.test(text));
  const end = yamlEnd > 0 ? yamlEnd : firstOther < 0 ? body.length : firstOther;
  const options = new Map<string, string>();
  for (const { text } of body.slice(0, end)) {
    const [, key, value = ''] = (yamlEnd > 0 ? YAML_OPTION : OPTION).exec(text) ?? [];
    if (key !== undefined) options.set(key.toLowerCase(), value.trim());
  }
  return {
    name,
    argument: argument.trim() === '' ? [] : [{ text: argument.trim(), line }],
    options,
    content: dedent(trimBlank(body.slice(yamlEnd > 0 ? yamlEnd + 1 : end))),
    line,
  };
}
