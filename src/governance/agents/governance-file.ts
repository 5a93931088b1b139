import { z } from 'zod';
import { nameSchema, policyRuleSchema, toolPatterns } from '../policy/policy-rule.js';
import { providersSchema } from '../providers/provider-file.js';

/** The agent of callers that name none. */
export const DEFAULT_AGENT = 'default';
/** Grants every capability. */
export const ALL_CAPABILITIES = '*';

const rulesSchema = z.array(policyRuleSchema).max(1_000);

const agentSchema = z.strictObject({
  capabilities: z
    .array(z.union([z.literal(ALL_CAPABILITIES), nameSchema]))
    .max(256)
    .describe('Names of capabilities; * for all except explain.'),
  mounts: z
    .array(z.string().min(1).max(64))
    .max(256)
    .optional()
    .describe(
      'The parts of the server it works with: documents, graph, memory, scratch, diagnostics, work, registry, and names of providers. Default: all.',
    ),
  template: nameSchema.optional().describe('The policy template that applies after the rules.'),
});

const aliasSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'use up to 64 letters, digits, dots, hyphens and underscores');

/** The shape of `governance.yaml`. */
export const governanceSchema = z.strictObject({
  $schema: z.string().max(256).optional(),
  version: z.literal(1),
  capabilities: z
    .record(nameSchema, toolPatterns)
    .default({})
    .describe('Tool names or patterns by capability. A tool requires every capability that names it.'),
  agents: z.record(nameSchema, agentSchema).default({}),
  aliases: z
    .record(aliasSchema, z.string().min(1).max(64))
    .default({})
    .describe('Names of tools by older names, which callers may still use. Aliases are not listed.'),
  policy: z
    .strictObject({
      rules: rulesSchema.default([]).describe('The first rule that matches decides.'),
      templates: z
        .record(nameSchema, rulesSchema)
        .default({})
        .describe('Rule sets for agents to choose from.'),
    })
    .default({ rules: [], templates: {} }),
  providers: providersSchema.default({}).describe('External MCP servers, by the namespace of their tools.'),
});

export type Governance = z.output<typeof governanceSchema>;
export type Agent = z.output<typeof agentSchema>;

/** Without a file: one agent with every capability, and the default rules. */
export const NO_GOVERNANCE: Governance = {
  version: 1,
  capabilities: {},
  agents: {},
  aliases: {},
  policy: { rules: [], templates: {} },
  providers: {},
};

/** The JSON schema of `governance.yaml`. */
export function governanceJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(governanceSchema, { target: 'draft-2020-12', io: 'input' });
}
