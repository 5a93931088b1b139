import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { givenPath } from '../../config/given-path.js';
import type { SafetyClass } from '../../mcp/tool-class.js';
import { isSecretName, looksLikeSecret, referenceSchema } from '../files/secret-values.js';
import { matchesPattern } from '../policy/match-rule.js';
import { toolPattern } from '../policy/policy-rule.js';

/** Namespaces of Pith's own tools, present and planned, that of connectors, and the first words of its older tool names. */
const RESERVED = [
  ...['kb', 'graph', 'scope', 'scratch', 'diagnostics', 'inner', 'docs', 'search', 'get', 'diagnostic'],
  ...['compute', 'describe', 'expand', 'list', 'summarize', 'traverse', 'tool', 'tools', 'run', 'runs'],
  ...[
    'substrate',
    'pointer',
    'manifest',
    'artifact',
    'index',
    'knowledge',
    'document',
    'claim',
    'schema',
    'fetch',
  ],
  ...['pith', 'mcp', 'admin', 'policy', 'approval', 'approvals', 'ledger', 'connector'],
];

/**
 * The namespace of a provider's tools, also below `connector`. Without other dots and without underscores, so that two
 * namespaces never give equal names when dots become underscores.
 */
const namespaceSchema = z
  .string()
  .regex(
    /^(?:connector\.)?[a-z][a-z0-9-]{0,31}$/,
    'use up to 32 lower-case letters, digits and hyphens, a letter first; connector. may stand before them',
  )
  .refine(
    (name) => !RESERVED.includes(name),
    'this namespace is reserved for tools of Pith. Choose another, such as the name of the product',
  );

const variables = z.record(
  z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'use a name of a variable'),
  z.string().max(4_096),
);
const headers = z.record(
  z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/, 'use a name of a header'),
  z.string().max(4_096),
);

/** Limits of one result, as text that the caller receives. The rest is kept in scratch. */
const budgetSchema = z.strictObject({
  bytes: z.int().min(2_048).max(524_288).default(49_152),
  tokens: z.int().min(512).max(131_072).default(12_000),
});

/** A path as people write it; `~` is the home folder. */
const pathSchema = z
  .string()
  .min(1)
  .max(4_096)
  .superRefine((text, context) => {
    const { problem } = givenPath(text);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, continue: false });
  })
  .overwrite((text) => givenPath(text).path ?? text);

const PROVIDER_REQUESTS = ['roots', 'elicitation', 'sampling'] as const;

const entrySchema = z.strictObject({
  command: pathSchema.optional().describe('Program that serves MCP over stdio.'),
  args: z.array(z.string().max(4_096)).max(256).optional(),
  env: variables
    .optional()
    .describe('Environment of the program: values, or references env:NAME or file:PATH.'),
  cwd: pathSchema.optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional()
    .describe('Endpoint of Streamable HTTP.'),
  headers: headers.optional().describe('Headers: values, or references env:NAME or file:PATH.'),
  reads: z
    .array(toolPattern)
    .max(256)
    .default([])
    .describe('Names or patterns of its tools that only read. All others are external.'),
  allow: z
    .array(z.enum(PROVIDER_REQUESTS))
    .max(PROVIDER_REQUESTS.length)
    .default([])
    .describe('Requests of the server that are answered. All others are refused.'),
  roots: z
    .array(pathSchema)
    .max(64)
    .default([])
    .describe('Absolute paths of the folders that it is told if it asks for roots.'),
  timeout_ms: z.int().min(100).max(600_000).default(30_000).describe('Longest time of a call.'),
  rate_per_minute: z.int().min(1).max(60_000).default(120).describe('Calls that it receives in a minute.'),
  max_concurrent: z.int().min(1).max(256).default(4).describe('Calls that it answers at the same time.'),
  budget: budgetSchema.default({ bytes: 49_152, tokens: 12_000 }),
});

/** Requests of providers that the file can allow. */
type ProviderRequest = (typeof PROVIDER_REQUESTS)[number];

type Entry = z.output<typeof entrySchema>;

const STDIO_ONLY = ['args', 'env', 'cwd'] as const;
const HTTP_ONLY = ['headers'] as const;

/** Problems of one entry that its schema can't express: a path below the entry, and a message. */
function* problemsOf(
  entry: Entry,
): Generator<readonly [path: readonly (string | number)[], message: string]> {
  const { command, url } = entry;
  if ((command === undefined) === (url === undefined)) yield [[], 'give either command or url'];
  const foreign = command === undefined ? STDIO_ONLY : HTTP_ONLY;
  for (const field of foreign) {
    if (entry[field] !== undefined) yield [[field], `needs ${command === undefined ? 'command' : 'url'}`];
  }
  for (const field of ['env', 'headers'] as const) {
    for (const [name, value] of Object.entries(entry[field] ?? {})) {
      if (referenceSchema.safeParse(value).success) continue;
      if (isSecretName(name) || looksLikeSecret(value))
        yield [[field, name], 'looks like a secret; use env:NAME or file:PATH'];
    }
  }
  for (const [i, arg] of (entry.args ?? []).entries()) {
    if (looksLikeSecret(arg))
      yield [['args', i], 'looks like a secret; give it to the program in env as env:NAME'];
  }
  if (entry.allow.includes('roots') !== entry.roots.length > 0)
    yield [['roots'], 'give roots and allow: [roots] together'];
  for (const [i, root] of entry.roots.entries())
    if (!isAbsolute(root)) yield [['roots', i], 'use an absolute path'];
  if (url !== undefined && hasSecret(new URL(url))) yield [['url'], 'contains a secret; use a header'];
}

function hasSecret({ username, password, searchParams }: URL): boolean {
  return (
    username !== '' ||
    password !== '' ||
    [...searchParams].some(([name, value]) => isSecretName(name) || looksLikeSecret(value))
  );
}

/** `providers` of governance.yaml: external MCP servers by the namespace of their tools. */
export const providersSchema = z
  .record(
    namespaceSchema,
    entrySchema.superRefine((entry, context) => {
      for (const [path, message] of problemsOf(entry))
        context.addIssue({ code: 'custom', path: [...path], message });
    }),
  )
  .refine((entries) => Object.keys(entries).length <= 64, 'at most 64 providers');

/** How a provider is reached. Values of `env` and `headers` may be references; `resolveReferences` reads them. */
export type ProviderTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Null: the working directory of the server. */
      readonly cwd: string | null;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** An external MCP server as the file describes it. */
export interface ProviderConfig {
  /** Its name, and the namespace of its tools. */
  readonly name: string;
  readonly transport: ProviderTransport;
  /** Names or patterns of its tools that only read. */
  readonly reads: readonly string[];
  /** Its requests that are answered. */
  readonly allow: readonly ProviderRequest[];
  /** Absolute paths of the folders that it is told; empty unless `roots` is allowed. */
  readonly roots: readonly string[];
  readonly timeoutMs: number;
  readonly ratePerMinute: number;
  readonly maxConcurrent: number;
  /** Limits of one result: UTF-8 bytes, estimated tokens. */
  readonly budget: { readonly bytes: number; readonly tokens: number };
}

function transportOf({
  command,
  args = [],
  env = {},
  cwd,
  url = '',
  headers: sent = {},
}: Entry): ProviderTransport {
  if (command === undefined) return { kind: 'http', url, headers: sent };
  return { kind: 'stdio', command, args, env, cwd: cwd ?? null };
}

/** The providers of a file, by name. */
export function providerConfigs(providers: z.output<typeof providersSchema>): ProviderConfig[] {
  return Object.entries(providers)
    .map(([name, entry]) => ({
      name,
      transport: transportOf(entry),
      reads: entry.reads,
      allow: entry.allow,
      roots: entry.roots,
      timeoutMs: entry.timeout_ms,
      ratePerMinute: entry.rate_per_minute,
      maxConcurrent: entry.max_concurrent,
      budget: entry.budget,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The safety class of a provider's tool. Its own annotations don't count. @param remoteName  as the provider lists it */
export function safetyOf({ reads }: Pick<ProviderConfig, 'reads'>, remoteName: string): SafetyClass {
  return reads.some((pattern) => matchesPattern(pattern, remoteName)) ? 'read' : 'external';
}
