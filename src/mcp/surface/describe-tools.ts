import type { CorpusFacts } from '../../core/corpus-facts.js';
import { type AnyTool, isProvided, toolAnnotations } from '../define-tool.js';
import type { JsonSchema } from '../schema.js';
import { adaptAdvice, adaptDescriptions, mayCall, type Reader } from './adapt-text.js';
import { isListedFor, spelledFor, type Surface } from './surface.js';
import { viewMeta } from './views.js';

/** Fields that the small toolset accepts but does not list. */
const EXPERT_FIELDS = ['options', 'include_context_tokens', 'max_quote_tokens'];
/** Scope fields that are not listed: the configuration sets them, and callers can only send the same values. */
const FIXED_SCOPE = ['project_id', 'environment'];
const OPERATOR_FIELDS = ['diagnostic_debug'];

const inWords = (seconds: number): string => (seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`);

/** Adapts a description to the reader and fills in the lifetime of passages. */
function describe(description: string, surface: Surface, reader: Reader): string {
  return adaptAdvice(description, surface, reader).replace('{ttl}', inWords(surface.passageTtlS));
}

function without(json: JsonSchema, hidden: readonly string[]): JsonSchema {
  if (!isJsonObject(json['properties'])) return json;
  const properties = Object.entries(json['properties']).filter(([name]) => !hidden.includes(name));
  return { ...json, properties: Object.fromEntries(properties) };
}

function describeInput(json: JsonSchema, { isCore }: Surface, { tool, isOperator }: Listed): JsonSchema {
  if (isProvided(tool)) return json;
  const hidden = [...(isCore ? EXPERT_FIELDS : []), ...(isOperator ? [] : OPERATOR_FIELDS)];
  const listed = without(json, hidden);
  const { properties } = listed;
  if (!isJsonObject(properties) || !isJsonObject(properties['scope'])) return listed;
  return { ...listed, properties: { ...properties, scope: without(properties['scope'], FIXED_SCOPE) } };
}

interface Listed {
  readonly tool: AnyTool;
  readonly isOperator: boolean;
}

function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

/** The tools as `tools/list` shows them. @param corpus  null if it can't be read; it is then not shown */
export function describeTools(surface: Surface, reader: Reader, corpus: CorpusFacts | null) {
  const { host } = reader;
  const isOperator = reader.permissions.includes('operator');
  return [...surface.tools.values()]
    .filter((tool) => isListedFor(tool, host) && mayCall(tool, surface, reader))
    .map(({ definition, inputSchema, outputSchema }) => {
      const listed = definition.listedFor?.(corpus) ?? { description: definition.description, inputSchema };
      return {
        name: spelledFor(definition.name, host),
        title: definition.title,
        description: describe(listed.description, surface, reader),
        inputSchema: adaptDescriptions(
          describeInput(listed.inputSchema, surface, { tool: definition, isOperator }),
          surface,
          reader,
        ),
        ...(surface.isStructured ? { outputSchema } : {}),
        annotations: { title: definition.title, ...toolAnnotations(definition) },
        ...(host.showsViews && definition.view ? { _meta: viewMeta(definition.view) } : {}),
      };
    });
}
