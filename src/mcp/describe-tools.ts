import { READ_ONLY } from './define-tool.js';
import type { HostProfile } from './host-profiles.js';
import { inputJsonSchema, outputJsonSchema } from './schema.js';
import type { JsonSchema } from './schema.js';
import { spelledFor } from './surface.js';
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

/** Names in a description are spelled as the host will have to call them. */
function respell(description: string, surface: Surface, profile: HostProfile): string {
  return [...surface.tools.keys()].reduce(
    (text, name) => text.replaceAll(name, spelledFor(name, profile)),
    description,
  );
}

/** The tools that a host is shown, in the order in which they were defined. */
export function describeTools(surface: Surface, profile: HostProfile): ToolDescription[] {
  return [...surface.tools.values()]
    .filter(({ isOn }) => isOn)
    .map(({ definition }) => ({
      name: spelledFor(definition.name, profile),
      title: definition.title,
      description: respell(definition.description, surface, profile),
      inputSchema: inputJsonSchema(definition.input),
      ...(surface.isStructured ? { outputSchema: outputJsonSchema(definition.output) } : {}),
      annotations: { title: definition.title, ...READ_ONLY },
    }));
}
