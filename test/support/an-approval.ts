import type { Approval, ApprovalDecision, ApprovalRequest } from '../../src/governance/approvals/approval.js';
import type { BoundCall } from '../../src/governance/approvals/bind-call.js';

/** When built requests were made (ms since the epoch). */
export const REQUESTED_AT = Date.parse('2026-01-01T00:00:00.000Z');
/** Lifetime of built requests. */
export const LIFETIME_MS = 3_600_000;

export const aRequest = (overrides: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  id: 'approval-1',
  binding: 'binding-1',
  callId: 'call-1',
  tool: 'kb.search',
  version: '1',
  safety: 'read',
  rule: 'search-needs-approval',
  effect: 'approve',
  approver: 'operator',
  reason: null,
  principal: 'agent-key',
  agent: 'support',
  scope: { projectId: 'docs', environment: 'prod', docTags: null, repositories: ['pith'] },
  argumentsText: '{"question":"How?"}',
  argumentsOmitted: 0,
  lifetimeMs: LIFETIME_MS,
  ...overrides,
});

export const anApproval = (overrides: Partial<Approval> = {}): Approval => ({
  ...aRequest(),
  state: 'pending',
  requestedAt: REQUESTED_AT,
  expiresAt: REQUESTED_AT + LIFETIME_MS,
  decisions: [],
  usedBy: null,
  usedAt: null,
  ...overrides,
});

export const aDecision = (overrides: Partial<ApprovalDecision> = {}): ApprovalDecision => ({
  by: 'ann',
  verdict: 'approved',
  via: 'command',
  reason: null,
  ...overrides,
});

export const aBoundCall = (overrides: Partial<BoundCall> = {}): BoundCall => ({
  method: 'tools/call',
  tool: 'kb.search',
  version: '1',
  schemaHash: 'schema-1',
  args: { query: 'sail' },
  principal: 'agent-key',
  agent: 'support',
  scope: { projectId: 'docs', environment: 'prod', docTags: null, repositories: ['pith'] },
  policyVersion: 'policy-1',
  rule: 'search-needs-approval',
  effect: 'approve',
  approver: 'operator',
  ...overrides,
});
