import type { CorpusFacts } from '../kb/corpus-facts.js';
import { READ_ONLY } from './define-tool.js';
import type { HostProfile } from './host-profiles.js';
import type { JsonSchema } from './schema.js';
import { spelledFor, spellTools } from './surface.js';
import type { Surface } from './surface.js';

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: typeof READ_ONLY & { readonly title: string };
}

/** What the small toolset leaves out; it is accepted all the same. */
const EXPERT_FIELDS = ['options', 'include_context_tokens', 'max_quote_tokens'];
/** What only operators are shown. */
const OPERATOR_FIELDS = ['diagnostic_debug'];

/** Whom a list is for. */
export interface Audience {
  readonly host: HostProfile;
  readonly isOperator: boolean;
}

const inWords = (seconds: number): string => (seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`);

/** What an agent reads: tools spelled as its host will have to call them, and how long passages live here. */
function describe(description: string, surface: Surface, profile: HostProfile): string {
  const spelled = spellTools(description, surface, profile);
  return spelled.replace('{ttl}', inWords(surface.passageTtlS));
}

function describeInput(json: JsonSchema, { isCore }: Surface, isOperator: boolean): JsonSchema {
  const hidden = [...(isCore ? EXPERT_FIELDS : []), ...(isOperator ? [] : OPERATOR_FIELDS)];
  if (!isJsonObject(json['properties'])) return json;
  const properties = Object.entries(json['properties']).filter(([name]) => !hidden.includes(name));
  return { ...json, properties: Object.fromEntries(properties) };
}

function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

/**
 * The tools that a caller is shown, in the order in which they were defined.
 * @param corpus  null when it can't be read: tools that show what it holds are listed without it
 */
export function describeTools(
  surface: Surface,
  { host, isOperator }: Audience,
  corpus: CorpusFacts | null,
): ToolDescription[] {
  return [...surface.tools.values()]
    .filter(({ isListed, definition }) => isListed && (isOperator || definition.permission !== 'operator'))
    .map(({ definition, inputSchema, outputSchema }) => {
      const listed = definition.listedFor?.(corpus) ?? { description: definition.description, inputSchema };
      return {
        name: spelledFor(definition.name, host),
        title: definition.title,
        description: describe(listed.description, surface, host),
        inputSchema: describeInput(listed.inputSchema, surface, isOperator),
        ...(surface.isStructured ? { outputSchema } : {}),
        annotations: { title: definition.title, ...READ_ONLY },
      };
    });
}
