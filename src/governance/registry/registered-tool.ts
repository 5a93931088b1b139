import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type AnyTool, furtherTools, toolAnnotations } from '../../mcp/define-tool.js';
import type { JsonSchema } from '../../mcp/schema.js';
import type { Annotations, SafetyClass } from '../../mcp/tool-class.js';
import { canonicalJson } from '../../text/canonical-json.js';
import { matchesPattern } from '../policy/match-rule.js';
import { type Effect, needsApproval, type PolicyRule } from '../policy/policy-rule.js';

/** The provider of the tools of this server. */
export const OWN_PROVIDER = 'pith';

/** A tool as governance knows it: one of this server, or one of a provider. */
export interface RegisteredTool {
  readonly name: string;
  /** The part of the name before the first dot; the whole name if it has none. */
  readonly namespace: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  /** The schema that arguments are checked against. */
  readonly inputSchema: JsonSchema;
  /** The schema of results; null if the provider states none. */
  readonly outputSchema: JsonSchema | null;
  /** From `schemaHash`. */
  readonly schemaHash: string;
  readonly safety: SafetyClass;
  readonly permission: AnyTool['permission'];
  /** The parts of the server that it works on; for a tool of a provider, the name of the provider. */
  readonly mounts: readonly string[];
  /** Tools that return the same content. What is denied for one of them is also denied for this tool. */
  readonly standsFor: readonly string[];
  /** Further tools that it stands for if a flag of its input is true, by flag. */
  readonly standsForIf: Readonly<Record<string, readonly string[]>>;
  /** An agent needs all of them. If empty, the tool is offered only to agents with all capabilities. */
  readonly capabilities: readonly string[];
  /** One of them that `*` does not include; null if there is none. */
  readonly namedCapability: string | null;
  /** `operator` if an operator has to approve every call; null if the rules decide. */
  readonly approver: 'operator' | null;
  /** The first rule of the governance file that asks for an approval of its calls; null if there is none. */
  readonly approval: string | null;
  /** Limits of a result: UTF-8 bytes, estimated tokens. */
  readonly budget: AnyTool['budget'];
  readonly annotations: Annotations;
  /** `pith`, or the name of a provider. */
  readonly provider: string;
}

/** The parts of a governance file that belong to the row of a tool. */
export interface ToolTerms {
  readonly capabilities: Readonly<Record<string, readonly string[]>>;
  readonly policy: {
    readonly rules: readonly PolicyRule[];
    /** Rules of agents, by name of the template. */
    readonly templates?: Readonly<Record<string, readonly PolicyRule[]>>;
  };
}

/**
 * Hash of the schemas of a tool.
 * @param output  null if there is none
 * @returns SHA-256 in hex over the canonical JSON (RFC 8785) of `{ input, output }`
 */
export function schemaHash(input: JsonSchema, output: JsonSchema | null): string {
  return createHash('sha256').update(canonicalJson({ input, output })).digest('hex');
}

/** The part of a tool's name before the first dot; the whole name if it has none. */
const namespaceOf = (name: string): string => name.split('.', 1)[0] ?? name;

/** The capabilities whose patterns name a tool. */
export function requiredCapabilities(
  { capabilities }: Pick<ToolTerms, 'capabilities'>,
  tool: string,
): string[] {
  return Object.entries(capabilities)
    .filter(([, patterns]) => patterns.some((pattern) => matchesPattern(pattern, tool)))
    .map(([name]) => name);
}

/**
 * The first rule, also of a template, that asks for an approval of a tool's calls or of those of a tool that it stands for,
 * regardless of agent, principal, documents and time. If an operator has to approve every call, a rule that allows them
 * asks too.
 */
export function approvalRule(
  { policy }: Pick<ToolTerms, 'policy'>,
  { name, safety, standsFor, approver }: Pick<RegisteredTool, 'name' | 'safety' | 'standsFor' | 'approver'>,
): string | null {
  const asks = (effect: Effect, called: string): boolean =>
    needsApproval(effect) || (approver !== null && effect !== 'deny' && called === name);
  const called = [{ name, safety }, ...standsFor.map((read) => ({ name: read, safety: 'read' as const }))];
  const rules = [...policy.rules, ...Object.values(policy.templates ?? {}).flat()];
  const rule = rules.find(({ effect, tools, safety: classes }) =>
    called.some(
      (each) =>
        asks(effect, each.name) &&
        (tools === undefined || tools.some((pattern) => matchesPattern(pattern, each.name))) &&
        (classes === undefined || classes.includes(each.safety)),
    ),
  );
  return rule?.name ?? null;
}

/** The parts of a provider's tool that its definition does not have. */
export type ProvidedTool = Pick<RegisteredTool, 'provider' | 'inputSchema' | 'outputSchema'>;

/** Registers a tool of a provider. */
export function registerProvided(
  definition: AnyTool,
  { provider, inputSchema, outputSchema }: ProvidedTool,
  terms: ToolTerms,
): RegisteredTool {
  const schemas = { inputSchema, outputSchema, schemaHash: schemaHash(inputSchema, outputSchema) };
  return { ...registerTool(definition, terms, () => schemas), mounts: [provider], provider };
}

type Schemas = Pick<RegisteredTool, 'inputSchema' | 'outputSchema' | 'schemaHash'>;

/** Registers a tool of this server. Its schemas are made when they are first read. */
export function registerTool(
  definition: AnyTool,
  terms: ToolTerms,
  makeSchemas: () => Schemas = () => schemasOf(definition),
): RegisteredTool {
  const { name, title, description, permission, budget } = definition;
  const { version = '1', safety = 'read', mounts = [], standsFor = [], standsForIf = {} } = definition;
  const { capability = null, approver = null } = definition;
  const required = requiredCapabilities(terms, name).filter((other) => other !== capability);
  let made: Schemas | null = null;
  const schemas = () => (made ??= makeSchemas());
  return {
    name,
    namespace: namespaceOf(name),
    version,
    title,
    description,
    get inputSchema() {
      return schemas().inputSchema;
    },
    get outputSchema() {
      return schemas().outputSchema;
    },
    get schemaHash() {
      return schemas().schemaHash;
    },
    safety,
    permission,
    mounts,
    standsFor,
    standsForIf,
    capabilities: capability === null ? required : [capability, ...required],
    namedCapability: capability,
    approver,
    approval: approvalRule(terms, { name, safety, standsFor, approver }),
    budget,
    annotations: toolAnnotations(definition),
    provider: OWN_PROVIDER,
  };
}

function schemasOf({ input, output }: AnyTool): Schemas {
  const inputSchema = z.toJSONSchema(input, { io: 'input' });
  const outputSchema = z.toJSONSchema(output, { io: 'output' });
  return { inputSchema, outputSchema, schemaHash: schemaHash(inputSchema, outputSchema) };
}

/**
 * The tools that a call stands for.
 * @param input  the arguments after defaults; null before they are known
 */
export function standsForWith(
  { standsFor, standsForIf }: Pick<RegisteredTool, 'standsFor' | 'standsForIf'>,
  input: Readonly<Record<string, unknown>> | null,
): readonly string[] {
  const further = furtherTools({ standsForIf }, input);
  return further.length > 0 ? [...new Set([...standsFor, ...further])] : standsFor;
}
