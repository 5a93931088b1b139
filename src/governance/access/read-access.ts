import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { FileProblem } from '../../mcp/describe-issue.js';
import { BUILT_IN } from '../../mcp/principals.js';
import type { Governance } from '../agents/governance-file.js';
import { isDefined, unknownAgent } from '../agents/known-agent.js';
import { parseYamlFile, readConfigurationText } from '../files/read-yaml-file.js';
import { type Access, accessSchema } from './access-file.js';
import { withoutKeys } from './access-key.js';

const RESERVED: readonly string[] = BUILT_IN.map(({ name }) => name);

function reservedNames({ principals }: Access): FileProblem[] {
  return Object.keys(principals)
    .filter((name) => RESERVED.includes(name.toLowerCase()))
    .map((name) => ({
      path: ['principals', name],
      message: `${name} is the name of a principal of Pith. Choose another name`,
    }));
}

function unknownAgents({ principals }: Access, governance: Governance): FileProblem[] {
  return Object.entries(principals).flatMap(([name, { agent }]) =>
    agent === undefined || isDefined(governance, agent)
      ? []
      : [{ path: ['principals', name, 'agent'], message: unknownAgent(governance, agent) }],
  );
}

/** Keys that occur twice. */
function sharedKeys({ principals }: Access): FileProblem[] {
  const owners = new Map<string, string>();
  return Object.entries(principals).flatMap(([name, { keys }]) =>
    keys.flatMap((key, i) => {
      const owner = owners.get(key);
      owners.set(key, name);
      if (owner === undefined) return [];
      const whose = owner === name ? 'this key is listed twice' : `this is also a key of ${owner}`;
      return [
        {
          path: ['principals', name, 'keys', i],
          message: `${whose}. Make another key with: pith access key`,
        },
      ];
    }),
  );
}

/**
 * Reads the text of an access file.
 * @param file  its path, for messages
 * @param governance  defines the agents
 * @throws InvalidConfigurationError with FILE:LINE for every problem; its messages contain no keys
 */
export function parseAccess(text: string, file: string, governance: Governance): Access {
  try {
    return parseYamlFile(text, file, {
      schema: accessSchema,
      inconsistencies: (access) => [
        ...reservedNames(access),
        ...unknownAgents(access, governance),
        ...sharedKeys(access),
      ],
    });
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    throw new InvalidConfigurationError(error.problems.map(withoutKeys));
  }
}

/**
 * Reads an access file.
 * @param setting  names the file; null if a command was given the path
 * @throws InvalidConfigurationError
 */
export function readAccess(
  file: string,
  governance: Governance,
  setting: string | null = 'PITH_ACCESS_FILE',
): Access {
  return parseAccess(readConfigurationText(file, setting), file, governance);
}
