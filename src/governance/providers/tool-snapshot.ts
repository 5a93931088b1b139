import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonSchema } from '../../mcp/schema.js';
import { canonicalJson } from '../../text/canonical-json.js';
import { isNestedDeeper, MAX_LEVELS } from '../../text/nesting.js';
import { type ListedSnapshot, MAX_DEFINITION_BYTES, MAX_TOOL_NAME } from './provider-pins.js';

/** A tool as `tools/list` of a provider returns it. All other fields, such as annotations, are ignored. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | null | undefined;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name of a tool in lists and in the store. */
export const shownName = ({ name }: Pick<ListedTool, 'name'>): string => name.slice(0, MAX_TOOL_NAME);

/** The pinned parts of a tool with their hash: everything that a model is told about it. */
export function snapshotOf(tool: ListedTool): ListedSnapshot {
  const { name, title = null, description = null, inputSchema, outputSchema = null } = tool;
  const unusable = (problem: string): ListedSnapshot => ({
    tool: shownName(tool),
    definition: '',
    hash: '',
    problem,
  });
  if (name.length > MAX_TOOL_NAME) return unusable(`its name is longer than ${MAX_TOOL_NAME} characters`);
  if ([inputSchema, outputSchema].some((schema) => isNestedDeeper(schema, MAX_LEVELS))) {
    return unusable(`its schemas are nested deeper than ${MAX_LEVELS} levels`);
  }
  const definition = canonicalJson({ name, title, description, inputSchema, outputSchema });
  if (Buffer.byteLength(definition) > MAX_DEFINITION_BYTES) {
    return unusable(`its definition is longer than ${MAX_DEFINITION_BYTES} bytes`);
  }
  return { tool: name, definition, hash: sha256(definition), problem: null };
}

const definitionSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).nullable(),
});

/** Reads the definition of a snapshot. */
export function parseSnapshot({ definition }: Pick<ListedSnapshot, 'definition'>) {
  return definitionSchema.parse(JSON.parse(definition));
}

/** A tool of a provider that an operator has accepted as it is listed now. */
export interface ProviderTool {
  /** Name of the provider. */
  readonly provider: string;
  /** As the provider lists it. */
  readonly remoteName: string;
  /** `<namespace>.<remoteName>`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
  /** SHA-256 over the canonical JSON of its definition, hex. */
  readonly definitionHash: string;
}
