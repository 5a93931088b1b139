import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { addressOf } from '../../mcp/http/request-facts.js';
import { TOOL_PATHS } from '../../mcp/http/tool-paths.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { principalIn, refusalOf } from '../../mcp/principals.js';
import { whenOver } from '../../mcp/transport/response-end.js';
import { clipText } from '../../text/span.js';
import type { AuditTrail } from './audit-trail.js';

const REFUSED = [401, 403, 429];
const MAX_CHARS = 200;

/** Middleware: notes refused requests, and what operators and the webhook of approvals send. */
export function auditRequests(trail: AuditTrail): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const { method, path } = request;
    const address = addressOf(request);
    whenOver(request, response, () => {
      const principal = principalIn(request)?.name ?? null;
      const status = response.writableFinished ? response.statusCode : null;
      const isRefused = status !== null && REFUSED.includes(status);
      // Calls of tools are in the ledger, also uploads. The webhook has no principal.
      const isAccepted = principal !== null || (status !== null && status < 300);
      const isCall = Object.values(TOOL_PATHS).some((start) => path.startsWith(start));
      const isOfOperator = method === 'POST' && !isCall && isAccepted;
      if (!isRefused && !isOfOperator) return;
      const event = isRefused ? 'request_refused' : 'operator_request';
      const reason = isRefused ? refusalOf(request) : null;
      trail.note({
        ...{ event, address, principal, method, path: clipText(path, MAX_CHARS), status },
        ...(reason !== null && { reason }),
      });
    });
    next();
  };
}

/** Observes calls: notes those that the scope, a permission or the policy refuses. */
export function auditCalls(trail: AuditTrail) {
  return {
    observe: ({ call, start, error }: FinishedCall): void => {
      const isDenied = call.decisions.policy?.effect === 'deny';
      if (!isDenied && error?.code !== 'SCOPE_VIOLATION') return;
      trail.note({
        event: 'call_refused',
        call: call.id,
        principal: call.caller.principal,
        agent: call.caller.agent,
        method: start.method,
        tool: call.decisions.policy?.tool ?? start.tool,
        reason: call.decisions.refusedAs ?? error?.reason ?? null,
        rule: call.decisions.policy?.rule ?? null,
      });
    },
  };
}
