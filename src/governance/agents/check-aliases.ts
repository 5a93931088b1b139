import { type AnyTool, isLegacy } from '../../mcp/define-tool.js';
import { underscored } from '../../mcp/surface/surface.js';
import { withKnownNames } from '../../text/nearest-name.js';
import { providerOf } from '../providers/review-tools.js';
import type { Governance } from './governance-file.js';

interface AliasProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** Aliases that hide a tool or another alias, or that stand for no current tool. */
export function aliasProblems({ aliases, providers }: Governance, tools: readonly AnyTool[]): AliasProblem[] {
  const names = Object.keys(aliases);
  const problemOf = (alias: string, target: string): string | null => {
    const hidden = tools.find(({ name }) => underscored(name) === underscored(alias));
    if (hidden) return `the alias would hide the tool ${hidden.name}. Choose another name`;
    const other = names.find((name) => name !== alias && underscored(name) === underscored(alias));
    if (other !== undefined) return `the aliases ${other} and ${alias} are the same with underscores`;
    const tool = tools.find(({ name }) => name === target);
    if (tool) return isLegacy(tool) ? `${target} is an older name; use the name of a current tool` : null;
    // The tools of providers are known only when they are connected.
    if (providerOf(target, Object.keys(providers)) !== undefined) return null;
    if (Object.hasOwn(aliases, target)) return `${target} is an alias; use the name of a tool`;
    const known = tools.filter((each) => !isLegacy(each)).map(({ name }) => name);
    return withKnownNames(`no tool is named ${target}`, target, { whose: 'Tools', known });
  };
  return Object.entries(aliases).flatMap(([alias, target]) => {
    const message = problemOf(alias, target);
    return message === null ? [] : [{ path: ['aliases', alias], message }];
  });
}
