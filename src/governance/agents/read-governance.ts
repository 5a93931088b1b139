import { readFileSync } from 'node:fs';
import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { ALL_CAPABILITIES, type Governance, governanceSchema } from './governance-file.js';

type Path = readonly PropertyKey[];

interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** The problems of an issue. That of a name says more than that of the record which it is in. */
const toldIn = (issue: z.core.$ZodIssue): readonly Problem[] =>
  issue.code === 'invalid_key' ? issue.issues.map(({ message }) => ({ path: issue.path, message })) : [issue];

/** Names that the file uses but does not define, and names of rules that occur twice. */
function inconsistencies({ agents, capabilities, policy }: Governance): Problem[] {
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
  const sets: (readonly [Path, Governance['policy']['rules']])[] = [
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

/** The line of the value at a path, or of the nearest value around it, from 1. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const offset = isNode(node) ? node.range?.[0] : undefined;
    if (offset !== undefined) return lines.linePos(offset).line;
  }
  return 1;
}

function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new InvalidConfigurationError([`${file}: ${error instanceof Error ? error.message : 'not YAML'}.`]);
  }
}

/**
 * Reads the text of a governance file.
 * @param file  its path, for messages
 * @throws InvalidConfigurationError with FILE:LINE for every problem
 */
export function parseGovernance(text: string, file: string): Governance {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const message = broken.message.split(/ at line |\n/)[0] ?? 'not YAML';
    throw new InvalidConfigurationError([`${file}:${lines.linePos(broken.pos[0]).line}: ${message}.`]);
  }
  const located = ({ path, message }: Problem): string =>
    `${file}:${lineOf(document, lines, path)}: ${path.map(String).join('.') || 'file'}: ${message}.`;
  visit(document, {
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === '__proto__')
        throw new InvalidConfigurationError([`${file}: __proto__ can't be used as a name.`]);
    },
  });
  const parsed = governanceSchema.safeParse(plainValue(document, file));
  if (!parsed.success) {
    throw new InvalidConfigurationError(parsed.error.issues.flatMap(toldIn).map(located));
  }
  const problems = inconsistencies(parsed.data);
  if (problems.length > 0) throw new InvalidConfigurationError(problems.map(located));
  return parsed.data;
}

/**
 * Reads a governance file.
 * @throws InvalidConfigurationError
 */
export function readGovernance(file: string): Governance {
  try {
    return parseGovernance(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof InvalidConfigurationError) throw error;
    throw new InvalidConfigurationError([`PITH_GOVERNANCE_FILE: ${file} can't be read: ${String(error)}`]);
  }
}
