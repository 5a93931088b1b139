import type { AnyTool } from '../../mcp/define-tool.js';
import {
  type FileProblem,
  parseYamlFile,
  readConfigurationText,
  type YamlFormat,
} from '../files/read-yaml-file.js';
import { aliasProblems } from './check-aliases.js';
import { ALL_CAPABILITIES, type Governance, governanceSchema } from './governance-file.js';

/** Names that the file uses but does not define, and names of rules that occur twice. */
function inconsistencies({ agents, capabilities, policy }: Governance): FileProblem[] {
  const unknown = Object.entries(agents).flatMap(([name, agent]) => [
    ...agent.capabilities.flatMap((capability, i) =>
      capability === ALL_CAPABILITIES || Object.hasOwn(capabilities, capability)
        ? []
        : [{ path: ['agents', name, 'capabilities', i], message: `no capability is named ${capability}` }],
    ),
    ...(agent.template === undefined || Object.hasOwn(policy.templates, agent.template)
      ? []
      : [{ path: ['agents', name, 'template'], message: `no template is named ${agent.template}` }]),
  ]);
  const sets: (readonly [FileProblem['path'], Governance['policy']['rules']])[] = [
    [['policy', 'rules'], policy.rules],
    ...Object.entries(policy.templates).map(
      ([name, rules]) => [['policy', 'templates', name], rules] as const,
    ),
  ];
  const seen = new Set<string>();
  const repeated = sets.flatMap(([path, rules]) =>
    rules.flatMap(({ name }, i) => {
      const isNew = !seen.has(name);
      seen.add(name);
      return isNew ? [] : [{ path: [...path, i], message: `two rules are named ${name}` }];
    }),
  );
  return [...unknown, ...repeated];
}

const formatFor = (tools: readonly AnyTool[]): YamlFormat<typeof governanceSchema> => ({
  schema: governanceSchema,
  inconsistencies: (governance) => [...inconsistencies(governance), ...aliasProblems(governance, tools)],
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
 * @throws InvalidConfigurationError
 */
export function readGovernance(file: string, tools: readonly AnyTool[]): Governance {
  return parseGovernance(readConfigurationText(file, 'PITH_GOVERNANCE_FILE'), file, tools);
}
