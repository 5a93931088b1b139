import 'reflect-metadata';
import type { StandardSchemaV1 } from '@modelcontextprotocol/server';
import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { Tool } from '@rekog/mcp-nest';
import type { z } from 'zod';
import { type Domain, DOMAINS } from '../config/settings/domains.config.js';
import type { Call } from '../core/call.js';
import type { CorpusFacts } from '../core/corpus-facts.js';
import type { PithError } from '../core/errors.js';
import type { Ref } from '../core/reply.js';
import type { TextFence } from '../text/untrusted-text.js';
import type { JsonSchema } from './schema.js';
import type { ResultView } from './surface/views.js';
import { type Annotations, annotationsFor, type Mount, type SafetyClass } from './tool-class.js';

/**
 * The flag that turns a group of tools on or off. `always` can't be turned off; `registry` needs a governance file,
 * `questions` PITH_QUESTIONS=on; the domains are off unless MCP_DOMAINS names them.
 */
export type Feature =
  | 'diagnostics'
  | 'kb'
  | 'graph'
  | 'docs'
  | 'search_fetch'
  | 'legacy'
  | 'legacy_search'
  | 'inner_voice'
  | 'provider'
  | 'registry'
  | 'questions'
  | 'always'
  | Domain;

/** A link to text that a host may load itself. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly bytes: number;
  /** ISO-8601, UTC. */
  readonly lastModified: string;
}

/** Renders a result as text. Words of documents pass through the fence. */
export interface Rendering<O> {
  /** The complete result, for hosts that forward text only. */
  readonly full: (output: O, fence?: TextFence) => string;
  /** One or two lines, for hosts that also forward the structured form. */
  readonly summary: (output: O, fence?: TextFence) => string;
  /** True when a contract fixes the text: `full` is then sent with and without structured output. */
  readonly isContract?: boolean;
  /** The items that the output names. Default: the sections, documents, passages and diagnostics that it names. */
  readonly refs?: (output: O) => readonly Ref[];
  /** The external server that wrote the output; `_meta` marks such a result as untrusted. */
  readonly provider?: (output: O) => string;
  /** @param keptAt  ISO-8601 time at which the texts were stored in scratch */
  readonly links?: (output: O, keptAt: string) => readonly ResourceLink[];
}

/** A call that needs an approval. */
export interface CheckedCall<Input> {
  readonly call: Call;
  readonly input: Input;
  /** The service of a class. */
  readonly service: <S>(token: Type<S>) => S;
}

/** A tool's listing that depends on the corpus. */
export interface ListedForm {
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** One tool: its listing for agents, its input and output schemas, its permission and its budget. */
export interface ToolDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** In this order: use when; do not use when; returns at most; if you need more; defaults and caps. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly feature: Feature;
  /** True for tools in the small toolset. */
  readonly isCore: boolean;
  /** Callers with this permission see the tool and may call it. */
  readonly permission: 'read' | 'operator';
  /** An integer or semver; raised when a schema changes. Default: 1. */
  readonly version?: string;
  /** Default: read. */
  readonly safety?: SafetyClass;
  /** False if the same call can give another result or have another effect the second time. Default: true for `read`. */
  readonly isRepeatable?: boolean;
  /** True if a call only adds something. Default: false. */
  readonly isAdditive?: boolean;
  /** Set if an operator has to approve every call, even where the rules allow it. Default: the rules decide. */
  readonly approver?: 'operator';
  /** The parts of the server that it works on. Default: none. */
  readonly mounts?: readonly Mount[];
  /** Tools that return the same content. What is denied for one of them is also denied for this tool. Default: none. */
  readonly standsFor?: readonly string[];
  /** Further tools that it stands for, by the name of an input field: if the flag is true, or if a text or an object is given. */
  readonly standsForIf?: Readonly<Record<string, readonly string[]>>;
  /** True when it searches documents for a question; diagnostics are recorded for such calls only. */
  readonly isRetrieval?: boolean;
  /** A capability that an agent has to be given by name: `*` does not include it. Default: none. */
  readonly capability?: string;
  /** Limits of the serialised result: UTF-8 bytes, estimated tokens. */
  readonly budget: { readonly bytes: number; readonly tokens: number };
  readonly rendering: Rendering<z.output<O>>;
  /** For hosts that show views of results (MCP Apps). Default: none. */
  readonly view?: ResultView;
  /** For a listing that shows corpus content; null means that the corpus can't be read now. */
  readonly listedFor?: (corpus: CorpusFacts | null) => ListedForm;
  /** For a contract with its own error for invalid arguments. */
  readonly refuse?: (error: z.ZodError, input: unknown) => PithError;
  /** The reason of unexpected failures, for a contract that defines its own. */
  readonly unexpected?: string;
  /**
   * Time to wait for another server, a process or an event, added to the time limit of a call (ms). Default: 0.
   */
  readonly waitsMs?: number;
  /** True if the tool passes on the progress of what it waits for; progress of other tools is the seconds that they run. */
  readonly reportsProgress?: true;
  /**
   * Throws if the call can't succeed; what it returns is ignored. Runs before an approval is asked for and again before
   * it is used, so it has to be cheap and change nothing. The tool checks again. Default: no check.
   */
  readonly checkReady?: (checked: CheckedCall<z.output<I>>) => Promise<unknown> | void;
  /** True for personal content: the messages of unexpected failures are not logged either. */
  readonly isPersonal?: boolean;
}

/** A tool of any input and output type. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the one place that handles the outputs of all tools
export type AnyTool = ToolDefinition<any, any>;

/** True for a tool that keeps an older contract: it takes exactly the old inputs and ignores unknown ones. */
export function isLegacy({ feature }: AnyTool): boolean {
  return feature === 'legacy' || feature === 'legacy_search';
}

/** Groups of tools whose inputs and outputs other specifications fix. */
const FIXED: readonly Feature[] = ['docs', 'search_fetch', 'inner_voice', 'legacy', 'legacy_search'];

/** True when another specification fixes the output. Such tools have the response envelope in `_meta`. */
export function hasFixedOutput({ feature }: AnyTool): boolean {
  return FIXED.includes(feature);
}

/** The name of the handler of all provider tools. It is not a name of a tool. */
export const PROVIDER_HANDLER = 'a tool of a provider';

/** True for a tool of an external server: its schemas and texts are not ours. */
export function isProvided({ feature }: AnyTool): boolean {
  return feature === 'provider';
}

/** True when callers may narrow the scope. Other tools treat `scope` as an ordinary argument. */
export function takesScope(definition: AnyTool): boolean {
  return readsDocuments(definition) && !hasFixedOutput(definition);
}

/** True when it answers from the server's index. Other tools, also those of named corpora, work while nothing is indexed. */
export function readsDocuments(definition: AnyTool): boolean {
  const { feature, mounts = [] } = definition;
  const isWork = isOfDomain(feature) && (feature === 'knowledge' || !mounts.includes('documents'));
  const isOther = feature === 'inner_voice' || feature === 'registry' || feature === 'questions';
  return !isOther && !isWork && !isProvided(definition);
}

/** True for the tools that MCP_DOMAINS turns on. */
export function isOfDomain(feature: Feature): feature is Domain {
  return (DOMAINS as readonly string[]).includes(feature);
}

/** The hints about a tool that hosts are given. */
export function toolAnnotations({ safety = 'read', isRepeatable, isAdditive }: AnyTool): Annotations {
  return annotationsFor(safety, isRepeatable, isAdditive);
}

export type ToolInput<T> = T extends ToolDefinition<infer I, z.ZodType> ? z.output<I> : never;

const DEFINITION = 'pith:tool';

/** Returns the definition unchanged; the call infers and checks its types. */
export function defineTool<I extends z.ZodType, O extends z.ZodType>(
  definition: ToolDefinition<I, O>,
): ToolDefinition<I, O> {
  return definition;
}

/**
 * The parameter schema given to mcp-nest; it accepts everything. mcp-nest would validate before guards run and answer
 * with its own messages; instead, the pipeline validates and `PithStrategy` lists the tools.
 */
export const ANY_INPUT: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'pith', validate: (value: unknown) => ({ value }) },
};

/** Decorates the method that implements a tool. */
export function McpTool(definition: AnyTool): MethodDecorator {
  return applyDecorators(
    SetMetadata(DEFINITION, definition),
    Tool({
      name: definition.name,
      description: definition.description,
      parameters: ANY_INPUT,
      annotations: { title: definition.title, ...toolAnnotations(definition) },
    }),
  );
}

/** The definition of a tool's handler; undefined for other handlers. */
export function definitionOf(handler: object): AnyTool | undefined {
  return Reflect.getMetadata(DEFINITION, handler);
}

/** The definitions of tool classes, in class order. */
export function definitionsOf(classes: readonly { readonly prototype: object }[]): AnyTool[] {
  return classes.flatMap(({ prototype }) =>
    Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) => {
      const definition = typeof value === 'function' ? definitionOf(value) : undefined;
      return definition ? [definition] : [];
    }),
  );
}

/** True for a flag that is true, for a text, and for an object. */
const isGiven = (value: unknown): boolean =>
  value === true || typeof value === 'string' || (typeof value === 'object' && value !== null);

/**
 * The tools whose content a call asks for by its flags and fields.
 * @param input  the arguments after defaults; null before they are known
 */
export const furtherTools = (
  { standsForIf }: { readonly standsForIf: Readonly<Record<string, readonly string[]>> },
  input: Readonly<Record<string, unknown>> | null,
): string[] => Object.entries(standsForIf).flatMap(([flag, tools]) => (isGiven(input?.[flag]) ? tools : []));
