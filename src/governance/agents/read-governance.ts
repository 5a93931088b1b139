import { type AnyTool, isLegacy } from '../../mcp/define-tool.js';
import type { FileProblem } from '../../mcp/describe-issue.js';
import { underscored } from '../../mcp/surface/surface.js';
import { MOUNTS } from '../../mcp/tool-class.js';
import { withKnownNames } from '../../text/nearest-name.js';
import { parseYamlFile, readConfigurationText, type YamlFormat } from '../files/read-yaml-file.js';
import { OWN_RULES } from '../policy/decide-call.js';
import { providerOf } from '../providers/review-tools.js';
import { patternProblems, ruleSets } from './check-patterns.js';
import { ALL_CAPABILITIES, type Governance, governanceSchema } from './governance-file.js';

interface AliasProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** Aliases that hide a tool or another alias, or that stand for no current tool. */
function aliasProblems({ aliases, providers }: Governance, tools: readonly AnyTool[]): AliasProblem[] {
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

/** Names that the file uses but does not define, and names of rules that are taken. */
function inconsistencies(governance: Governance, tools: readonly AnyTool[]): FileProblem[] {
  const { agents, capabilities, policy } = governance;
  const own = tools.flatMap(({ capability }) => capability ?? []);
  const isCapability = (name: string): boolean =>
    name === ALL_CAPABILITIES || own.includes(name) || Object.hasOwn(capabilities, name);
  const unknownCapability = (name: string): string =>
    withKnownNames(`no capability is named ${name}`, name, {
      whose: 'Capabilities of this file',
      known: Object.keys(capabilities),
    });
  const unknownTemplate = (name: string): string =>
    withKnownNames(`no template is named ${name}`, name, {
      whose: 'Templates of this file',
      known: Object.keys(policy.templates),
    });
  const unknown = Object.entries(agents).flatMap(([name, { capabilities: given, template }]) => [
    ...given.flatMap((capability, i) =>
      isCapability(capability)
        ? []
        : [{ path: ['agents', name, 'capabilities', i], message: unknownCapability(capability) }],
    ),
    ...(template === undefined || Object.hasOwn(policy.templates, template)
      ? []
      : [{ path: ['agents', name, 'template'], message: unknownTemplate(template) }]),
  ]);
  const seen = new Set<string>();
  const named = ruleSets(governance).flatMap(([path, rules]) =>
    rules.flatMap(({ name }, i) => {
      const isNew = !seen.has(name);
      seen.add(name);
      if (OWN_RULES.includes(name))
        return [{ path: [...path, i], message: `${name} is a rule of Pith itself. Choose another name` }];
      return isNew ? [] : [{ path: [...path, i], message: `two rules are named ${name}. Rename one` }];
    }),
  );
  return [...unknown, ...named];
}

/** Mounts of agents that name no part of the server and no provider. */
function unknownMounts({ agents, providers }: Governance): FileProblem[] {
  const known: readonly string[] = [...MOUNTS, ...Object.keys(providers)];
  return Object.entries(agents).flatMap(([agent, { mounts = [] }]) =>
    mounts.flatMap((mount, i) => {
      if (known.includes(mount)) return [];
      const message = withKnownNames(`found "${mount}"`, mount, { whose: 'Expected one of', known });
      return [{ path: ['agents', agent, 'mounts', i], message }];
    }),
  );
}

const formatFor = (tools: readonly AnyTool[]): YamlFormat<typeof governanceSchema> => ({
  schema: governanceSchema,
  inconsistencies: (governance) => [
    ...inconsistencies(governance, tools),
    ...unknownMounts(governance),
    ...aliasProblems(governance, tools),
    ...patternProblems(governance, tools),
  ],
});

/**
 * Reads the text of a governance file.
 * @param file  its path, for messages
 * @param tools  the tools of this server; aliases stand for them
 * @throws InvalidConfigurationError with FILE:LINE for every problem
 */
export function parseGovernance(text: string, file: string, tools: readonly AnyTool[]): Governance {
  return parseYamlFile(text, file, formatFor(tools));
}

/**
 * Reads a governance file.
 * @param tools  the tools of this server
 * @param setting  names the file; null if a command was given the path
 * @throws InvalidConfigurationError
 */
export function readGovernance(
  file: string,
  tools: readonly AnyTool[],
  setting: string | null = 'PITH_GOVERNANCE_FILE',
): Governance {
  return parseGovernance(readConfigurationText(file, setting), file, tools);
}
