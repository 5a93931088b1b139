import { z } from 'zod';
import { underscored } from '../../mcp/surface/surface.js';
import type { SchemaCompiler } from './json-schema-check.js';
import { type ListedSnapshot, MAX_PROVIDER_TOOLS, type ProviderPin } from './provider-pins.js';
import { type ListedTool, parseSnapshot, type ProviderTool, shownName, snapshotOf } from './tool-snapshot.js';

/**
 * `accepted` tools are callable. `new` and `changed` ones wait for an operator; `unusable` ones can't be accepted.
 */
export type ReviewState = 'accepted' | 'new' | 'changed' | 'unusable';

/** A tool that a provider lists; `problem` says why it is unusable. */
export interface ReviewedTool extends ListedSnapshot {
  readonly state: ReviewState;
}

/** A provider's list, and what it is compared with. */
export interface ToolReview {
  readonly provider: string;
  readonly listed: readonly ListedTool[];
  readonly pins: readonly ProviderPin[];
  /** Names of Pith's own tools, older names and aliases. */
  readonly taken: readonly string[];
  readonly compile: SchemaCompiler;
}

/** Longest name that all hosts accept. */
const MAX_NAME = 64;
const REMOTE_NAME = /^[\w-]+(?:\.[\w-]+)*$/;

/** Names with the same key are ambiguous for hosts that replace dots by underscores or ignore case. */
const keyOf = (name: string): string => underscored(name).toLowerCase();

/** `<namespace>.<name>` */
export const fullNameOf = (provider: string, remoteName: string): string => `${provider}.${remoteName}`;

/** The provider in whose namespace a name or pattern of tools is, in either spelling. */
export const providerOf = (tool: string, providers: readonly string[]): string | undefined =>
  providers.find((name) => underscored(tool).startsWith(underscored(fullNameOf(name, ''))));

const schemaSchema = z.looseObject({ type: z.literal('object') });

function schemaProblem({ inputSchema, outputSchema }: ListedTool, compile: SchemaCompiler): string | null {
  for (const [which, schema] of [['input', inputSchema] as const, ['output', outputSchema] as const]) {
    if (schema === undefined || schema === null) continue;
    const parsed = schemaSchema.safeParse(schema);
    if (!parsed.success) return `its ${which} schema is not one of an object`;
    try {
      compile(parsed.data);
    } catch (error) {
      return `its ${which} schema can't be used: ${String(error).slice(0, 200)}`;
    }
  }
  return null;
}

/** The keys that more than one tool of a list has. */
function repeatedKeys(names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const isRepeated = (key: string): boolean => {
    const { size } = seen;
    return seen.add(key).size === size;
  };
  return new Set(names.map(keyOf).filter(isRepeated));
}

function nameProblem(name: string, remoteName: string, { taken, repeated }: TakenKeys): string | null {
  if (!REMOTE_NAME.test(remoteName)) return 'its name has other characters than A-Z, a-z, 0-9, _, - and .';
  if (name.length > MAX_NAME) return `its name with the namespace is longer than ${MAX_NAME} characters`;
  if (taken.has(keyOf(name))) return 'its name is that of a tool of Pith';
  return repeated.has(keyOf(name)) ? 'the provider lists another tool with this name' : null;
}

interface TakenKeys {
  readonly taken: ReadonlySet<string>;
  readonly repeated: ReadonlySet<string>;
}

/** The state of a listed tool, compared with what was accepted. */
export function reviewState(
  { problem, hash }: Pick<ListedSnapshot, 'problem' | 'hash'>,
  accepted: ProviderPin['accepted'],
): ReviewState {
  if (problem !== null) return 'unusable';
  if (accepted === null) return 'new';
  return accepted.hash === hash ? 'accepted' : 'changed';
}

/**
 * Compares what a provider lists with what was accepted. Of tools with equal names, the first is shown.
 * @returns at most `MAX_PROVIDER_TOOLS` tools, by name
 */
export function reviewTools({ provider, listed, pins, taken, compile }: ToolReview): ReviewedTool[] {
  const names = listed.map(({ name }) => fullNameOf(provider, name));
  const keys = { taken: new Set(taken.map(keyOf)), repeated: repeatedKeys(names) };
  const accepted = new Map(
    pins.filter((pin) => pin.provider === provider).map((pin) => [pin.tool, pin.accepted]),
  );
  const review = (tool: ListedTool): ReviewedTool => {
    const snapshot = snapshotOf(tool);
    const problem =
      snapshot.problem ??
      nameProblem(fullNameOf(provider, tool.name), tool.name, keys) ??
      schemaProblem(tool, compile);
    const reviewed = { ...snapshot, problem };
    return { ...reviewed, state: reviewState(reviewed, accepted.get(snapshot.tool) ?? null) };
  };
  const reviewed = new Map<string, ReviewedTool>();
  for (const tool of [...listed].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (reviewed.size === MAX_PROVIDER_TOOLS) break;
    const name = shownName(tool);
    if (!reviewed.has(name)) reviewed.set(name, review(tool));
  }
  return [...reviewed.values()];
}

/** The accepted tools of a review. */
export function acceptedTools(provider: string, reviewed: readonly ReviewedTool[]): ProviderTool[] {
  return reviewed.flatMap(({ tool: remoteName, state, definition, hash }) => {
    if (state !== 'accepted') return [];
    const { title, description, inputSchema, outputSchema } = parseSnapshot({ definition });
    const name = fullNameOf(provider, remoteName);
    return [
      {
        provider,
        remoteName,
        name,
        title: title ?? remoteName,
        description: description ?? '',
        inputSchema,
        outputSchema,
        definitionHash: hash,
      },
    ];
  });
}
