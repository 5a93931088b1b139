import 'reflect-metadata';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { Tool } from '@rekog/mcp-nest';
import type { z } from 'zod';
import type { PithError } from '../core/errors.js';
import type { CorpusFacts } from '../core/corpus-facts.js';
import { ANYTHING } from './schema.js';
import type { JsonSchema } from './schema.js';

/** What switches a group of tools on and off. `always` can't be switched. */
export type Feature =
  'diagnostics' | 'kb' | 'graph' | 'docs' | 'legacy' | 'legacy_search' | 'inner_voice' | 'always';

/** A pointer to text that a host may load on its own account. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly bytes: number;
  /** ISO-8601, UTC. */
  readonly lastModified: string;
}

/** How a result reads as text. */
export interface Rendering<O> {
  /** Stands alone: for hosts that forward text only. */
  readonly full: (output: O) => string;
  /** A line or two: for hosts that forward the structured form too. */
  readonly summary: (output: O) => string;
  /** Whether a contract says how the text reads: then it is `full`, with and without structured output. */
  readonly isContract?: boolean;
  /** @param keptAt  ISO-8601: when the texts were kept */
  readonly links?: (output: O, keptAt: string) => readonly ResourceLink[];
}

/** How a tool is listed for one corpus. */
export interface ListedForm {
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** One tool: what agents read about it, what it takes and returns, and what it may cost. */
export interface ToolDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** Use when; do not use when; returns at most; if you need more; defaults and caps. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly feature: Feature;
  /** Whether the small toolset has it. */
  readonly isCore: boolean;
  /** Who may call it, and who is shown it. */
  readonly permission: 'read' | 'operator';
  /** Whether it searches documents for a question: then operators can look into its calls. */
  readonly isRetrieval?: boolean;
  /** Ceilings of the serialised result: UTF-8 bytes, estimated tokens. */
  readonly budget: { readonly bytes: number; readonly tokens: number };
  readonly rendering: Rendering<z.output<O>>;
  /** Where the list shows what the corpus holds: how; null is a corpus that can't be read now. */
  readonly listedFor?: (corpus: CorpusFacts | null) => ListedForm;
  /** Where a contract has words of its own for wrong arguments. */
  readonly refuse?: (error: z.ZodError, input: unknown) => PithError;
  /** Where a contract has a reason of its own for unexpected failures: what it is. */
  readonly unexpected?: string;
  /** Whether it works on what is personal: then the messages of unexpected failures stay out of the log, too. */
  readonly isPersonal?: boolean;
}

/** A tool whose types don't matter to the reader. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the one place where outputs of all tools meet
export type AnyTool = ToolDefinition<any, any>;

/** Whether a tool keeps an older contract: its inputs are exactly those of then, and what it does not know it ignores. */
export function isLegacy({ feature }: AnyTool): boolean {
  return feature === 'legacy' || feature === 'legacy_search';
}

/** Whether callers may narrow the scope. Where a contract has no such field, `scope` is an argument like any other. */
export function takesScope(definition: AnyTool): boolean {
  const { feature } = definition;
  return !isLegacy(definition) && feature !== 'docs' && feature !== 'inner_voice';
}

/** Whether it answers from documents. What does not is answered before any were indexed, too. */
export function readsDocuments({ feature }: AnyTool): boolean {
  return feature !== 'inner_voice';
}

export type ToolInput<T> = T extends ToolDefinition<infer I, z.ZodType> ? z.output<I> : never;

/** All our tools read, and only from the index. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const DEFINITION = 'pith:tool';

/** Checks a definition's types and gives it back. */
export function defineTool<I extends z.ZodType, O extends z.ZodType>(
  definition: ToolDefinition<I, O>,
): ToolDefinition<I, O> {
  return definition;
}

/** Makes a method the body of a tool. */
export function McpTool(definition: AnyTool): MethodDecorator {
  return applyDecorators(
    SetMetadata(DEFINITION, definition),
    Tool({
      name: definition.name,
      description: definition.description,
      parameters: ANYTHING,
      annotations: { title: definition.title, ...READ_ONLY },
    }),
  );
}

/** The definition behind a handler, if it is a tool's. */
export function definitionOf(handler: object): AnyTool | undefined {
  return Reflect.getMetadata(DEFINITION, handler);
}

/** The definitions of tool classes, in their order. */
export function definitionsOf(classes: readonly { readonly prototype: object }[]): AnyTool[] {
  return classes.flatMap(({ prototype }) =>
    Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) => {
      const definition = typeof value === 'function' ? definitionOf(value) : undefined;
      return definition ? [definition] : [];
    }),
  );
}
