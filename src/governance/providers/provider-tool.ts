import type { JsonSchema } from '../../mcp/schema.js';

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
