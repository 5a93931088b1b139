import { parseConfig } from '../../config/config.js';
import { type AnyTool, isLegacy } from '../define-tool.js';
import { resolveSurface } from './surface.js';

const KIB = 1024;

const limitOf = ({ bytes, tokens }: AnyTool['budget']): string =>
  `${Math.round(bytes / KIB)} KB, ${tokens.toLocaleString('en-US')} tokens`;

/** The text after "Use when" in a description; '' for a description that a contract words differently. */
const occasionOf = (description: string): string => /^Use when (.+?)\.(?: |$)/u.exec(description)?.[1] ?? '';

/** The tools with their purpose and reply limits, as a Markdown table; legacy tools are left out. */
export function toolsTable(definitions: readonly AnyTool[]): string {
  const byDefault = resolveSurface(definitions, parseConfig({}), {}).tools;
  const rows = definitions
    .filter((definition) => !isLegacy(definition))
    .map(({ name, title, description, budget }) => {
      const note = byDefault.get(name)?.isListed ? '' : ' (off by default)';
      return `| \`${name}\` | ${title}${note} | ${occasionOf(description)} | ${limitOf(budget)} |`;
    });
  return ['| Tool | Purpose | Use it when | Limit of a reply |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
