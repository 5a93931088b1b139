import { readFileSync } from 'node:fs';
import {
  type Document,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLParseError,
} from 'yaml';
import type { z } from 'zod';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { type FileProblem, problemsOf } from '../../mcp/describe-issue.js';

/** Advice for a value that begins with *, which YAML reads as an alias. */
const STAR = "YAML reads a value that begins with * as an alias. Put it in quotes, such as '*' or 'kb.*'";

/** Common errors of YAML, by the code of the parser. */
const WORDS: Readonly<Partial<Record<string, string>>> = {
  BAD_ALIAS: STAR,
  BAD_INDENT:
    'this line is indented differently than the lines that it belongs to. Align it with them, with spaces',
  BLOCK_AS_IMPLICIT_KEY:
    'a line has two "name: value" pairs, or a value contains ": ". Put the value in quotes, or begin a new line',
  BLOCK_IN_FLOW: 'inside { } or [ ], entries are separated by commas, not by lines that begin with -',
  DUPLICATE_KEY: 'this name occurs twice in one map. Remove one, or merge both',
  MISSING_CHAR: 'a closing character is missing: a quote, ], } or a comma',
  MULTILINE_IMPLICIT_KEY: 'a name has no ":" after it, or a quote is not closed',
  MULTIPLE_DOCS: 'the file has more than one document. Remove the line ---',
  TAB_AS_INDENT: 'a tab indents this line. Use spaces',
  BAD_SCALAR_START: 'a value begins with @ or `. Put it in quotes',
  TAG_RESOLVE_FAILED: 'a value begins with !, which YAML reads as a tag. Put it in quotes',
  UNEXPECTED_TOKEN: 'this text does not belong here. Check quotes, commas and the indentation',
};

/** An error of the YAML parser in words, without a full stop. */
const yamlTrouble = ({ code, message }: Pick<YAMLParseError, 'code' | 'message'>): string =>
  `not valid YAML: ${WORDS[code] ?? message.split(/ at line |\n/)[0] ?? 'it can not be read'}`;

/** An alias that stands for nothing, or aliases that expand without end. */
const aliasTrouble = (message: string): string =>
  /unresolved/i.test(message)
    ? STAR
    : 'aliases (*name) that repeat each other are not supported. Write their values out';

/** The format of a YAML file of governance. */
export interface YamlFormat<S extends z.ZodType> {
  readonly schema: S;
  /** Problems of a file that fits the schema, such as names that it uses but does not define. */
  readonly inconsistencies: (value: z.output<S>) => readonly FileProblem[];
}

/** The line of the value at a path, or of the nearest value around it, from 1. */
function lineOf(document: Document, lines: LineCounter, path: FileProblem['path']): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const offset = isNode(node) ? node.range?.[0] : undefined;
    if (offset !== undefined) return lines.linePos(offset).line;
  }
  return 1;
}

const refused = (problem: string): InvalidConfigurationError => new InvalidConfigurationError([problem]);

/** The line of the first alias without a value; 1 if there is none. */
function aliasLine(document: Document, lines: LineCounter): number {
  let line = 1;
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document)) return undefined;
      line = lines.linePos(alias.range?.[0] ?? 0).line;
      return visit.BREAK;
    },
  });
  return line;
}

/** @param at  the file and a line @throws InvalidConfigurationError for aliases that can't be resolved */
function plainValue(document: Document, at: () => string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw refused(`${at()}: ${aliasTrouble(String(error))}.`);
  }
}

/** Refuses a name that plain objects can't have. @param at  the file and the line of an offset */
function checkNames(document: Document, at: (offset: number) => string): void {
  visit(document, {
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === '__proto__')
        throw refused(`${at(pair.key.range?.[0] ?? 0)}: __proto__ can't be used as a name. Choose another.`);
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
  const at = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  if (broken) throw refused(`${at(broken.pos[0])}: ${yamlTrouble(broken)}.`);
  const located = ({ path, message }: FileProblem): string =>
    `${file}:${lineOf(document, lines, path)}: ${path.map(String).join('.') || 'file'}: ${message}.`;
  checkNames(document, at);
  const value = plainValue(document, () => `${file}:${aliasLine(document, lines)}`);
  const parsed = format.schema.safeParse(value);
  if (!parsed.success) {
    const unfit = { schema: format.schema, value };
    throw new InvalidConfigurationError(problemsOf(parsed.error.issues, unfit).map(located));
  }
  const problems = format.inconsistencies(parsed.data);
  if (problems.length > 0) throw new InvalidConfigurationError(problems.map(located));
  return parsed.data;
}

/** Why a file can't be read, and the next step. */
function unreadable(file: string, error: unknown): string {
  const { code }: { code?: unknown } = Object(error);
  if (code === 'ENOENT') return `there is no file ${file}. Correct the path, or create the file`;
  if (code === 'EISDIR') return `${file} is a folder. Give the path of the file in it`;
  if (code === 'EACCES') return `${file} may not be read by this user. Change the permissions of the file`;
  return `${file} can't be read (${String(code ?? error)})`;
}

/**
 * The text of a configuration file.
 * @param setting  names the file; null if a command was given the path
 * @throws InvalidConfigurationError
 */
export function readConfigurationText(file: string, setting: string | null): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw refused(`${setting === null ? '' : `${setting}: `}${unreadable(file, error)}.`);
  }
}
