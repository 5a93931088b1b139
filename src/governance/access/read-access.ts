import { resolve } from 'node:path';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import type { FileProblem } from '../../mcp/describe-issue.js';
import { BUILT_IN } from '../../mcp/principals.js';
import { type PatternPlace, unmatchablePatterns } from '../agents/check-patterns.js';
import type { Governance } from '../agents/governance-file.js';
import { isDefined, unknownAgent } from '../agents/known-agent.js';
import { parseYamlFile, readConfigurationText } from '../files/read-yaml-file.js';
import { type Access, accessSchema } from './access-file.js';
import { withoutKeys } from './access-key.js';

/** The agents and tools that an access file can name. */
export interface Nameable {
  readonly governance: Governance;
  /** The tools of this server. */
  readonly tools: readonly AnyTool[];
}

const RESERVED: readonly string[] = BUILT_IN.map(({ name }) => name);

function reservedNames({ principals }: Access): FileProblem[] {
  return Object.keys(principals)
    .filter((name) => RESERVED.includes(name.toLowerCase()) || /^\d+$/.test(name))
    .map((name) => ({
      path: ['principals', name],
      message: RESERVED.includes(name.toLowerCase())
        ? `${name} is the name of a principal of Pith. Choose another name`
        : 'a name needs a letter: numbers do not keep their order',
    }));
}

function unknownAgents({ principals }: Access, governance: Governance): FileProblem[] {
  return Object.entries(principals).flatMap(([name, { agent }]) =>
    agent === undefined || isDefined(governance, agent)
      ? []
      : [{ path: ['principals', name, 'agent'], message: unknownAgent(governance, agent) }],
  );
}

/** A pattern that can match no tool: of a scope, it would protect nothing. */
function patternProblems({ principals, oauth }: Access, { governance, tools }: Nameable): FileProblem[] {
  const places: PatternPlace[] = [
    ...Object.entries(principals).map(([name, { tools: patterns = [] }]): PatternPlace => [
      ['principals', name, 'tools'],
      patterns,
    ]),
    ...Object.entries(oauth?.scopes ?? {}).map(([scope, patterns]): PatternPlace => [
      ['oauth', 'scopes', scope],
      patterns,
    ]),
  ];
  return unmatchablePatterns(places, governance, tools);
}

/** Principals that nobody can be, and claims that tokens of another issuer could have. */
function unreachable({ principals, oauth }: Access): FileProblem[] {
  return Object.entries(principals).flatMap(([name, { keys, claims, each, groups_claim }]) => {
    const ofTokens = Object.entries({ each, groups_claim }).find(([, claim]) => claim !== undefined);
    if (ofTokens && !claims)
      return [{ path: ['principals', name, ofTokens[0]], message: 'it is for tokens. Add `claims`' }];
    if (!keys && !claims)
      return [
        {
          path: ['principals', name],
          message: 'a principal needs keys, or claims of its tokens. Make a key with: pith access key',
        },
      ];
    if (!claims) return [];
    if (each !== undefined && Array.isArray(claims['iss']) && claims['iss'].length > 1)
      return [
        {
          path: ['principals', name, 'each'],
          message: 'two issuers can give the same value to different people. Make an entry for each issuer',
        },
      ];
    const path = ['principals', name, 'claims'];
    if (!oauth)
      return [{ path, message: 'no tokens are accepted. Add the part `oauth`, which names their issuer' }];
    if (oauth.issuers.length === 1 || claims['iss'] !== undefined) return [];
    return [{ path, message: 'add `iss`: with several issuers, each could write the claims of the others' }];
  });
}

function ambiguousIssuers({ oauth }: Access): FileProblem[] {
  if (!oauth) return [];
  const names = oauth.issuers.map(({ issuer }) => issuer);
  const asked = oauth.issuers.filter(({ introspection }) => introspection);
  return [
    ...(new Set(names).size < names.length
      ? [{ path: ['oauth', 'issuers'], message: 'an issuer is listed twice' }]
      : []),
    ...(asked.length > 1
      ? [
          {
            path: ['oauth', 'issuers'],
            message:
              'only one issuer can have `introspection`: a token that is no JWT does not say who issued it',
          },
        ]
      : []),
  ];
}

/** Index files that two projects name: each project has one of its own. */
function sharedIndexes({ projects }: Access): FileProblem[] {
  const owners = new Map<string, string>();
  return Object.entries(projects).flatMap(([name, { index }]) => {
    const file = resolve(index);
    const owner = owners.get(file);
    owners.set(file, owners.get(file) ?? name);
    return owner === undefined
      ? []
      : [{ path: ['projects', name, 'index'], message: `this is also the index of ${owner}` }];
  });
}

/** Keys that occur twice. */
function sharedKeys({ principals }: Access): FileProblem[] {
  const owners = new Map<string, string>();
  return Object.entries(principals).flatMap(([name, { keys = [] }]) =>
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
 * @param known  the agents and tools that it can name
 * @throws InvalidConfigurationError with FILE:LINE for every problem; its messages contain no keys
 */
export function parseAccess(text: string, file: string, known: Nameable): Access {
  try {
    return parseYamlFile(text, file, {
      schema: accessSchema,
      inconsistencies: (access) => [
        ...reservedNames(access),
        ...unknownAgents(access, known.governance),
        ...patternProblems(access, known),
        ...unreachable(access),
        ...ambiguousIssuers(access),
        ...sharedKeys(access),
        ...sharedIndexes(access),
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
  known: Nameable,
  setting: string | null = 'PITH_ACCESS_FILE',
): Access {
  return parseAccess(readConfigurationText(file, setting), file, known);
}
