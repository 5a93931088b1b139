import { z } from 'zod';
import { PERMISSIONS } from '../../core/call.js';
import { MAX_CALLER_GROUPS, MAX_GROUP_CHARS } from '../../core/document-groups.js';
import { nameSchema, toolPatterns } from '../policy/policy-rule.js';
import { looksLikeKey } from './access-key.js';
import { claimsSchema, oauthSchema } from './oauth/oauth-file.js';

const MAX_PROJECTS = 32;
const MAX_SETTINGS = 128;

/** Settings that exist once in a server, and those that follow from the project. */
const OF_THE_SERVER =
  /^PITH_(?:HTTP_\w+|ADMIN_\w+|APPROVAL_WEBHOOK_\w+|ACCESS_FILE|AUDIT_FILE|GROUPS|SECRET|INDEX|PROJECT)$/;

const settingName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,127}$/)
  .refine(
    (name) => !OF_THE_SERVER.test(name),
    'this setting is one of the whole server, or follows from the project',
  );

const projectSchema = z.strictObject({
  index: z.string().min(1).max(4_096).describe('The index file, as PITH_INDEX.'),
  settings: z
    .record(settingName, z.string().max(65_536))
    .refine((settings) => Object.keys(settings).length <= MAX_SETTINGS, `at most ${MAX_SETTINGS} settings`)
    .default({})
    .describe(
      'Settings that differ from those of the server, such as its engines. Values can be env:NAME or file:PATH.',
    ),
});

/** The part `projects` of an access file. */
const projectsSchema = z
  .record(z.string().min(1).max(128), projectSchema)
  .refine((projects) => Object.keys(projects).length <= MAX_PROJECTS, `at most ${MAX_PROJECTS} projects`)
  .describe(
    'Further projects that this server answers for, by their project id. Principals whose scope has this project_id ask its index.',
  );

const MAX_PRINCIPALS = 1_000;
const MAX_VALUES = 64;

const hashSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, {
  error: ({ input }) =>
    looksLikeKey(input)
      ? 'this is a key in plain text, which anyone who reads the file can use. Make another key with: pith access key. Write its hash here'
      : 'use the hash that `pith access key` prints, such as sha256:0123…',
});

const name = z.string().min(1).max(128);
const names = z.array(name).min(1).max(MAX_VALUES).optional();

const scopeSchema = z
  .strictObject({
    project_id: name.optional(),
    environment: name.optional(),
    doc_tags: names,
    repositories: names,
  })
  .describe('The documents that it may see, within the scope of the server. Default: all of these.');

const limitsSchema = z
  .strictObject({
    calls_per_minute: z.int().min(0).max(10_000_000).optional(),
    concurrent_calls: z.int().min(1).max(10_000).optional(),
    bytes_per_day: z.int().min(1_024).max(1_000_000_000_000_000).optional(),
  })
  .describe(
    'What it may take: calls per minute (0 for no limit), calls at a time, and bytes of results per day (UTC). Default: PITH_RATE_PER_MINUTE, PITH_MAX_CONCURRENT_CALLS, and no limit of bytes.',
  );

const principalSchema = z.strictObject({
  keys: z
    .array(hashSchema)
    .min(1, 'a principal needs a key. Make one with: pith access key')
    .max(2, 'a principal has at most two keys: remove the old one after the rotation')
    .optional()
    .describe('Hashes of its keys: one, or two during a rotation.'),
  claims: claimsSchema.optional(),
  each: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'A claim, such as sub. Each of its values is a principal of its own with the same rights, named NAME:VALUE. Default: all tokens are one principal.',
    ),
  agent: nameSchema
    .optional()
    .describe('The agent of the governance file that it acts as. Default: PITH_AGENT.'),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .min(1)
    .max(PERMISSIONS.length)
    .default(['read'])
    .describe(
      'read: calls tools, also those of providers. operator: the admin console and diagnostics. approve: decides approvals. Default: read.',
    ),
  tools: toolPatterns
    .optional()
    .describe('Names or patterns of the only tools that it may use. Default: all.'),
  scope: scopeSchema.default({}),
  groups: z
    .array(z.string().min(1).max(MAX_GROUP_CHARS))
    .min(1)
    .max(MAX_CALLER_GROUPS)
    .optional()
    .describe(
      'Its groups: it sees documents with `allow` only if it has one of their groups. "*" is all groups. Default: none.',
    ),
  groups_claim: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('A claim of its tokens, such as groups, whose values are groups too.'),
  limits: limitsSchema.default({}),
  memory: z
    .enum(['all', 'own'])
    .default('all')
    .describe('own: of memory, it sees only rows that have its name as a tag. Default: all rows.'),
});

/** The shape of `access.yaml`. */
export const accessSchema = z.strictObject({
  $schema: z.string().max(256).optional(),
  version: z.literal(1),
  oauth: oauthSchema.optional(),
  projects: projectsSchema.default({}),
  principals: z
    .record(nameSchema, principalSchema)
    .refine(
      (principals) => Object.keys(principals).length <= MAX_PRINCIPALS,
      `at most ${MAX_PRINCIPALS} principals`,
    )
    .describe(
      'Callers, by name. Each has keys, claims of its tokens, or both. A token belongs to the first that matches.',
    ),
});

export type Access = z.output<typeof accessSchema>;

/** The JSON schema of `access.yaml`. */
export function accessJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(accessSchema, { target: 'draft-2020-12', io: 'input' });
}
