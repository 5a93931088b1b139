import { schemaCompiler } from '../../src/governance/providers/json-schema-check.js';
import {
  type ReviewedTool,
  reviewTools,
  type ToolReview,
} from '../../src/governance/providers/review-tools.js';
import type { ListedTool } from '../../src/governance/providers/tool-snapshot.js';

/** A tool as a provider lists it. */
export const aListedTool = (given: Partial<ListedTool> = {}): ListedTool => ({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  ...given,
});

/** The review of a list of the provider `files`. */
export async function reviewed(
  listed: readonly ListedTool[],
  given: Partial<ToolReview> = {},
): Promise<ReviewedTool[]> {
  const compile = await schemaCompiler();
  return reviewTools({ provider: 'files', listed, pins: [], taken: [], compile, ...given });
}
