import { createHmac } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../core/call.js';
import { GENERIC_PROFILE, type HostProfile } from '../../core/host-profile.js';
import { hasPages, type Principal, principalOf } from '../principals.js';
import type { Surface } from '../surface/surface.js';
import { viewsSchema } from '../surface/views.js';

export interface Connection {
  readonly server: McpServer;
  readonly sdkContext: ServerContext | undefined;
  /** The HTTP request; undefined over STDIO. */
  readonly rawRequest: unknown;
}

/** The fields that are the same for all requests of a connection. */
export type BoundConnection = Omit<Connection, 'sdkContext'>;

/** The facts that identify callers and stay the same for the whole process. */
export abstract class CallerRules {
  abstract readonly surface: Surface;
  abstract readonly secret: string;
  /** Name of the project. A principal has one session per project. */
  abstract readonly project: string;
  /** The one session of a STDIO process. */
  abstract readonly processSessionId: string;
  /** The agent of STDIO callers, and of principals that name none. */
  abstract readonly agent: string;
  /** The user who runs a STDIO process. */
  abstract readonly processUser: Principal;
  /** True if the HTTP server shows documents at `/read`. */
  abstract readonly hasReader: boolean;
}

/** The headers of an HTTP request, names in lower case; empty over STDIO. */
export function requestHeaders(rawRequest: unknown): Readonly<Record<string, unknown>> {
  return Object(Object(rawRequest).headers);
}

/** Names, addresses and ports; any other `Host` header is not repeated. */
const HOST = /^[\w.:[\]-]{1,255}$/;

/** The origin of the server as the sender of an HTTP request reached it; '' if that is not known. */
export function requestOrigin(request: unknown): string {
  const { host = '', 'x-forwarded-proto': forwarded } = requestHeaders(request);
  const { protocol = 'http' }: { readonly protocol?: unknown } = Object(request);
  // A proxy in front of the server may speak TLS.
  const scheme = forwarded === 'https' || protocol === 'https' ? 'https' : 'http';
  return HOST.test(String(host)) ? `${scheme}://${String(host)}` : '';
}

/** The profile of the caller's host, with what its client declares. */
function readHost({ server, sdkContext, rawRequest }: Connection, { surface }: CallerRules): HostProfile {
  // 2026-era requests say in each request who the client is; the SDK's types don't include the keys.
  const envelope: Readonly<Record<string, unknown>> = Object(sdkContext?.mcpReq.envelope);
  const { name }: { readonly name?: unknown } = Object(envelope[CLIENT_INFO_META_KEY]);
  const { 'user-agent': agent } = requestHeaders(rawRequest);
  const profile = surface.profileFor({
    clientName: typeof name === 'string' ? name : server.server.getClientVersion()?.name,
    userAgent: typeof agent === 'string' ? agent : undefined,
  });
  const { extensions }: { readonly extensions?: unknown } = Object(
    envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities(),
  );
  return viewsSchema.safeParse(extensions).success ? { ...profile, showsViews: true } : profile;
}

/** HTTP requests have no connection, so their session id is derived from principal and project. */
function derivedSession(principal: string, { secret, project }: CallerRules): string {
  const digest = createHmac('sha256', secret)
    .update(`session\n${JSON.stringify([principal, project])}`)
    .digest();
  return digest.subarray(0, 12).toString('base64url');
}

type Session = Pick<Caller, 'agent'> &
  Partial<Pick<Caller, 'sessionId' | 'host' | 'isLocal' | 'readerOrigin'>>;

/**
 * Makes a caller of a principal.
 * @param session  its agent is used if the principal names none. Default: a session of a command
 */
export function makeCaller(
  { name, permissions, tools, scope, allowance, hasOwnMemory, ...principal }: Principal,
  { agent, sessionId = '', host = GENERIC_PROFILE, isLocal = true, readerOrigin = '' }: Session,
): Caller {
  return {
    principal: name,
    sessionId,
    agent: principal.agent ?? agent,
    permissions,
    tools,
    scopeLimit: scope,
    allowance,
    memoryTag: hasOwnMemory ? name : null,
    host,
    isLocal,
    ...(readerOrigin === '' ? {} : { readerOrigin }),
    isOperator: permissions.includes('operator'),
  };
}

export function identifyCaller(connection: Connection, rules: CallerRules): Caller {
  const { rawRequest } = connection;
  const isLocal = rawRequest === undefined;
  const principal = isLocal ? rules.processUser : principalOf(rawRequest);
  return makeCaller(principal, {
    sessionId: isLocal ? rules.processSessionId : derivedSession(principal.name, rules),
    agent: rules.agent,
    host: readHost(connection, rules),
    isLocal,
    readerOrigin: !isLocal && rules.hasReader && hasPages(rawRequest) ? requestOrigin(rawRequest) : '',
  });
}
