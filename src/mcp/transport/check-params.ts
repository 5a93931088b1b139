import {
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  specTypeSchemas,
  type StandardSchemaV1,
  type StandardSchemaV1Sync,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { clipText } from '../../text/clip-text.js';
import { plainLine } from '../../text/plain-line.js';

/** The `error` of a JSON-RPC error. */
export interface Problem {
  readonly code: ProtocolErrorCode;
  readonly message: string;
  readonly data?: object;
}

/** The SDK's own schemas of requests, which hold for every protocol version. */
const REQUESTS: ReadonlyMap<string, StandardSchemaV1Sync> = new Map(
  Object.entries({
    initialize: specTypeSchemas.InitializeRequest,
    ping: specTypeSchemas.PingRequest,
    'server/discover': specTypeSchemas.DiscoverRequest,
    'tools/list': specTypeSchemas.ListToolsRequest,
    'tools/call': specTypeSchemas.CallToolRequest,
    'resources/list': specTypeSchemas.ListResourcesRequest,
    'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
    'resources/read': specTypeSchemas.ReadResourceRequest,
    'prompts/list': specTypeSchemas.ListPromptsRequest,
    'prompts/get': specTypeSchemas.GetPromptRequest,
    'completion/complete': specTypeSchemas.CompleteRequest,
    'logging/setLevel': specTypeSchemas.SetLevelRequest,
  }),
);

/** Methods that 2026-07-28 removed. */
const REMOVED = ['initialize', 'ping', 'logging/setLevel'];

const MAX_METHOD = 128;
const MAX_MESSAGE = 400;
const MAX_ISSUES = 4;

/** Limits the length of a string; other types are left to the method's own schema. */
const atMost = (chars: number): z.ZodType =>
  z
    .unknown()
    .refine((value) => typeof value !== 'string' || value.length <= chars, `longer than ${chars} characters`)
    .optional();

/** Length limits for parameters that the SDK repeats in errors and warnings. */
const anyRequest = z.object({
  params: z
    .looseObject({
      name: atMost(256),
      uri: atMost(2_048),
      protocolVersion: atMost(64),
      _meta: z.looseObject({ [PROTOCOL_VERSION_META_KEY]: atMost(64) }).optional(),
    })
    .optional(),
});

function toProblem(method: string, issues: readonly StandardSchemaV1.Issue[]): Problem {
  const keyOf = (part: PropertyKey | StandardSchemaV1.PathSegment): string =>
    String(typeof part === 'object' ? part.key : part);
  const lines = issues
    .slice(0, MAX_ISSUES)
    .map(({ path = [], message }) => `${path.map(keyOf).join('.')}: ${message}`);
  const message = plainLine(clipText(`Invalid request ${method}. ${lines.join('; ')}.`, MAX_MESSAGE));
  const hint = 'Correct the named parameters and send the request again.';
  const data = { code: 'INVALID_ARGUMENT', message, details: { reason: 'invalid_input', hint } };
  return { code: ProtocolErrorCode.InvalidParams, message, data };
}

/** Describes the problem with a request's method or parameters; null if the SDK will accept them. */
export function paramsProblem(method: string, params: unknown): Problem | null {
  if (method.length > MAX_METHOD)
    return { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' };
  const request = { method, params };
  const { error, data } = anyRequest.safeParse(request);
  // The SDK says that the method does not exist.
  if (data?.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined && REMOVED.includes(method)) return null;
  const issues = error?.issues ?? REQUESTS.get(method)?.['~standard'].validate(request).issues;
  return issues ? toProblem(method, issues) : null;
}
