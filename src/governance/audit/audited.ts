import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { addressOf } from '../../mcp/http/peer.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { principalIn } from '../../mcp/principals.js';
import { clipText } from '../../text/clip-text.js';
import type { AuditTrail } from './audit-trail.js';

const REFUSED = [401, 403, 429];
const MAX_CHARS = 200;

/** Requests that change something, apart from calls of tools, which the ledger records. */
const isOperators = ({ method, path }: Request): boolean => method === 'POST' && !path.startsWith('/mcp');

/** Middleware: notes refused requests, and what operators and the webhook of approvals send. */
export function auditRequests(trail: AuditTrail): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const { method, path } = request;
    const isOfOperator = isOperators(request);
    response.once('finish', () => {
      const isRefused = REFUSED.includes(response.statusCode);
      if (!isRefused && !isOfOperator) return;
      trail.note({
        event: isRefused ? 'request_refused' : 'operator_request',
        address: addressOf(request),
        principal: principalIn(request)?.name ?? null,
        method,
        path: clipText(path, MAX_CHARS),
        status: response.statusCode,
      });
    });
    next();
  };
}

/** Observes calls: notes those that the scope, a permission or the policy refuses. */
export function auditCalls(trail: AuditTrail) {
  return {
    observe: ({ call, start, error }: FinishedCall): void => {
      const isDenied = call.trace.policy?.effect === 'deny';
      if (!isDenied && error?.code !== 'SCOPE_VIOLATION') return;
      trail.note({
        event: 'call_refused',
        call: call.id,
        principal: call.caller.principal,
        agent: call.caller.agent,
        method: start.method,
        tool: call.trace.policy?.tool ?? start.tool,
        reason: call.trace.refusedAs ?? error?.reason ?? null,
        rule: call.trace.policy?.rule ?? null,
      });
    },
  };
}
