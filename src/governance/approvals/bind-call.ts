import { createHmac, hkdfSync } from 'node:crypto';
import type { Approver } from '../../core/call.js';
import type { Scope } from '../../core/scope.js';
import { canonicalJson } from '../../text/canonical-json.js';

/** Everything that an approval is for. If any of it changes, the approval is for another call. */
export interface BoundCall {
  /** `tools/call`, `resources/read` or `prompts/get`. */
  readonly method: string;
  /** Current name of the tool, not an alias. */
  readonly tool: string;
  readonly version: string;
  readonly schemaHash: string;
  /** After defaults. */
  readonly args: unknown;
  readonly principal: string;
  readonly agent: string;
  readonly scope: Scope;
  /** Hash of the rules. */
  readonly policyVersion: string;
  /** The rule that decides now: rules come and go with the time of day. */
  readonly rule: string;
  readonly effect: 'approve' | 'review';
  readonly approver: Approver;
}

const KEY_BYTES = 32;

/** Derives the key of bindings from the server's secret by HKDF (RFC 5869). */
export function bindingKey(secret: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', secret, '', 'pith approvals binding', KEY_BYTES));
}

/**
 * Keyed hash of a call. Equal calls have equal bindings; without the secret, nobody can make one.
 * @returns HMAC-SHA-256 over canonical JSON (RFC 8785), base64url
 */
export function bindCall(call: BoundCall, key: Uint8Array): string {
  const { scope } = call;
  // Tags and repositories are sets.
  const sorted = (values: readonly string[] | null): string[] | null => values && [...new Set(values)].sort();
  const docTags = sorted(scope.docTags);
  const bound = { ...call, scope: { ...scope, docTags, repositories: sorted(scope.repositories) } };
  return createHmac('sha256', key).update(canonicalJson(bound)).digest('base64url');
}
