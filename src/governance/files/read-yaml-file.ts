import { readFileSync } from 'node:fs';
import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';

/** A problem with the value at a path of a file. */
export interface FileProblem {
  readonly path: readonly PropertyKey[];
  /** Without a full stop. */
  readonly message: string;
}

/** The format of a YAML file of governance. */
export interface YamlFormat<S extends z.ZodType> {
  readonly schema: S;
  /** Problems of a file that fits the schema, such as names that it uses but does not define. */
  readonly inconsistencies: (value: z.output<S>) => readonly FileProblem[];
}

/** The problems of an issue. For an invalid name, these are the messages about the name itself. */
const toldIn = (issue: z.core.$ZodIssue): readonly FileProblem[] =>
  issue.code === 'invalid_key' ? issue.issues.map(({ message }) => ({ path: issue.path, message })) : [issue];

/** The line of the value at a path, or of the nearest value around it, from 1. */
function lineOf(document: Document, lines: LineCounter, path: FileProblem['path']): number {
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

/** Refuses a name that plain objects can't have. */
function checkNames(document: Document, file: string): void {
  visit(document, {
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === '__proto__')
        throw new InvalidConfigurationError([`${file}: __proto__ can't be used as a name.`]);
    },
  });
}

/**
 * Parses the text of a YAML file.
 * @param file  its path, for messages
 * @throws InvalidConfigurationError with FILE:LINE for every problem
 */
export function parseYamlFile<S extends z.ZodType>(
  text: string,
  file: string,
  format: YamlFormat<S>,
): z.output<S> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const message = broken.message.split(/ at line |\n/)[0] ?? 'not YAML';
    throw new InvalidConfigurationError([`${file}:${lines.linePos(broken.pos[0]).line}: ${message}.`]);
  }
  const located = ({ path, message }: FileProblem): string =>
    `${file}:${lineOf(document, lines, path)}: ${path.map(String).join('.') || 'file'}: ${message}.`;
  checkNames(document, file);
  const parsed = format.schema.safeParse(plainValue(document, file));
  if (!parsed.success) throw new InvalidConfigurationError(parsed.error.issues.flatMap(toldIn).map(located));
  const problems = format.inconsistencies(parsed.data);
  if (problems.length > 0) throw new InvalidConfigurationError(problems.map(located));
  return parsed.data;
}

/** The text of a configuration file. @throws InvalidConfigurationError */
export function readConfigurationText(file: string, setting: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidConfigurationError([`${setting}: ${file} can't be read: ${String(error)}`]);
  }
}
