import { readFile } from 'node:fs/promises';
import { isAlias, isMap, isSeq, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { InvalidArgumentError } from '../../core/errors.js';
import { keyProblem, plainValue, valueProblem } from '../reading/document-metadata.js';
import {
  isNestedTooDeeply,
  keepAsWritten,
  offsetOfNode,
  pairsOf,
  resolved,
  valueAt,
  writtenEntries,
  writtenText,
} from '../reading/written-yaml.js';

type YamlDocument = ReturnType<typeof parseDocument>;

/** The path of a value: map keys and list indexes. */
type Path = readonly (string | number)[];

export interface ManifestSource {
  readonly document: YamlDocument;
  /** Path of the manifest, for messages. */
  readonly file: string;
  /** Converts an offset to a line, from 1. */
  readonly lineAt: (offset: number) => number;
}

export class ManifestFault extends InvalidArgumentError {
  constructor(
    readonly file: string,
    readonly line: number,
    readonly problem: string,
  ) {
    super(`${file}:${line}: ${problem}.`, {
      reason: 'manifest_invalid',
      hint: 'Correct the file; docs/indexing.md describes manifests and prompts.',
    });
  }
}

/** Reads a manifest file. @throws InvalidArgumentError `manifest_unreadable` */
export async function readManifestText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`The manifest ${file} can't be read.`, {
      reason: 'manifest_unreadable',
      hint: 'Grant read permission, or remove the file. It decides which documents are indexed.',
      cause: error,
    });
  }
}

/** The offset of the last key of a path; null if it is not a key of a map. */
function offsetOfKey(document: YamlDocument, path: Path): number | null {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const key = String(path.at(-1));
  const pair = pairsOf(document, parent).find((candidate) => writtenText(candidate.key) === key);
  return pair ? offsetOfNode(pair.key) : null;
}

/** The offset of the value at a path, or of the nearest existing parent. */
export function offsetOf(document: YamlDocument, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const key = isMap(node) ? offsetOfKey(document, path.slice(0, length)) : null;
    const offset = key ?? offsetOfNode(node);
    if (offset) return offset;
  }
  return 0;
}

/** The manifest of a source is written by others. Longer ones are refused. */
const MAX_CHARS = 2_000_000;
/** Each is looked up in the whole document. */
const MAX_ALIASES = 1_000;
/** The parser looks for duplicate keys in quadratic time, so it does not for more. */
const MAX_UNIQUE_KEYS = 20_000;
/** Lists and maps that begin in one line; the parser calls itself for each. */
const MANY_LISTS = /(?:[-?][ \t]+){200}/;

/** The first problem with aliases, with its offset; null if there is none. */
function aliasProblem(document: YamlDocument): { readonly offset: number; readonly problem: string } | null {
  const anchors = new Set<string>();
  let aliases = 0;
  let found: ReturnType<typeof aliasProblem> = null;
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) {
        if ('anchor' in node && node.anchor !== undefined) anchors.add(node.anchor);
        return;
      }
      const isTooMany = ++aliases > MAX_ALIASES;
      if (isTooMany || !anchors.has(node.source))
        found ??= {
          offset: offsetOfNode(node),
          problem: isTooMany ? `more than ${MAX_ALIASES} aliases` : 'an alias without an anchor',
        };
    },
  });
  return found;
}

function excessOf(text: string): string | null {
  if (text.length > MAX_CHARS) return `it has more than ${MAX_CHARS} characters`;
  return isNestedTooDeeply(text) || MANY_LISTS.test(text) ? 'it is nested too deeply' : null;
}

/** Parses the YAML of a manifest. @throws ManifestFault */
export function readSource(text: string, file: string): ManifestSource {
  const excess = excessOf(text);
  if (excess !== null) throw new ManifestFault(file, 1, excess);
  const keys = text.match(/:/g) ?? [];
  const document = parseDocument(text, { uniqueKeys: keys.length <= MAX_UNIQUE_KEYS });
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const broken = document.errors[0];
  if (broken)
    throw new ManifestFault(file, lineAt(broken.pos[0]), broken.message.split('\n')[0] ?? 'bad YAML');
  const wrong = aliasProblem(document);
  if (wrong) throw new ManifestFault(file, lineAt(wrong.offset), wrong.problem);
  return { document, file, lineAt };
}

/** Converts a manifest to plain values. @throws ManifestFault for too many aliases, for example circular ones */
function valueOf({ document, file }: ManifestSource): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    throw new ManifestFault(file, 1, error instanceof Error ? error.message : 'bad YAML');
  }
}

function offsetOfIssue(document: YamlDocument, issue: z.core.$ZodIssue): number {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const [unknownKey] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  if (unknownKey !== undefined)
    return offsetOfKey(document, [...path, unknownKey]) ?? offsetOf(document, path);
  if (issue.code === 'invalid_key') return offsetOfKey(document, path) ?? 0;
  return offsetOf(document, path);
}

/** The end of the message of Zod for a value that is not there. */
const MISSING = /^Invalid input: expected .*, received undefined$/;

function issueFault({ document, file, lineAt }: ManifestSource, error: z.ZodError): ManifestFault {
  // A misspelt key is also reported as one that is missing.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (!issue) return new ManifestFault(file, 1, 'not valid');
  const where = issue.path.map(String).join('.') || 'manifest';
  return new ManifestFault(
    file,
    lineAt(offsetOfIssue(document, issue)),
    `${where}: ${issue.message.replace(MISSING, 'it is missing')}`,
  );
}

/** Validates a source. @throws ManifestFault with the line of the first error */
export function parseSource<T>(source: ManifestSource, schema: z.ZodType<T>): T {
  const result = schema.safeParse(valueOf(source));
  if (!result.success) throw issueFault(source, result.error);
  return result.data;
}

/** Rejects invalid metadata names and values that are too long. @throws ManifestFault with the line of the key */
function checkMetadata({ document, file, lineAt }: ManifestSource, node: unknown): void {
  for (const { key, value, offset } of writtenEntries(document, node)) {
    const problem = keyProblem(key) ?? (value === null ? null : valueProblem(key, plainValue(value)));
    if (problem) throw new ManifestFault(file, lineAt(offset), `metadata: ${problem}`);
  }
  keepAsWritten(document, node);
}

/** The items of the list below a key; empty without a list. */
export function itemsAt(document: YamlDocument, key: string): readonly unknown[] {
  const list = resolved(document, valueAt(document, document.contents, key));
  return isSeq(list) ? list.items : [];
}

/** Keys of a manifest: its list of entries with metadata, and the settings of single taxonomy values. */
interface ManifestKeys {
  readonly list: 'documents' | 'overrides';
  readonly values: 'values' | 'properties';
}

/** Values of sources that can look like numbers. */
const NAMES = ['name', 'branch', 'path', 'doc_tag', 'repository', 'version'];

/** Checks the names and values of metadata and taxonomy, then validates the whole manifest. @throws ManifestFault */
export function checkedManifest<T>(
  source: ManifestSource,
  schema: z.ZodType<T>,
  { list, values }: ManifestKeys,
): T {
  const { document, file, lineAt } = source;
  checkMetadata(source, valueAt(document, document.contents, 'metadata'));
  for (const entry of itemsAt(document, list)) checkMetadata(source, valueAt(document, entry, 'metadata'));
  for (const { key, value } of pairsOf(document, valueAt(document, document.contents, 'taxonomy'))) {
    const problem = keyProblem(writtenText(key) ?? '');
    if (problem) throw new ManifestFault(file, lineAt(offsetOfNode(key)), `taxonomy: ${problem}`);
    keepAsWritten(document, valueAt(document, value, values));
  }
  for (const entry of itemsAt(document, 'sources')) keepAsWritten(document, entry, NAMES);
  return parseSource(source, schema);
}
