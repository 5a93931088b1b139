import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { LedgerConfig } from '../../config/settings/ledger.config.js';
import { callOf, mcpContextOf } from '../../mcp/calls.js';
import type { CallStage } from '../../mcp/pipeline/call-stages.js';
import { canonicalJson } from '../../text/canonical-json.js';
import { clipToBytes } from '../../text/span.js';
import { isSecretName, looksLikeSecret } from '../files/secret-values.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { CallLedger } from './call-ledger.js';

/** Longest text, in UTF-8 bytes. */
const MAX_RECORDED_BYTES = 2_048;
const CLIPPED = '…';
const REDACTED = '[redacted]';

/** A name or reason for the ledger: replaced if it looks like a secret. */
export const recordedWord = (text: string): string => (looksLikeSecret(text) ? REDACTED : text);

/** Replaces texts: all, those that look like a secret, and those in a field whose name stands for one. */
function redacted(value: unknown, hidesAll: boolean): unknown {
  if (typeof value === 'string') return hidesAll || looksLikeSecret(value) ? REDACTED : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, hidesAll));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redacted(item, hidesAll || isSecretName(name))]),
  );
}

/**
 * The arguments of a call for the ledger, without secrets of known kinds.
 * @param args  after defaults
 * @param hidesTexts  true for tools whose texts are private, such as memories
 * @returns canonical JSON; a long one is clipped and ends with `…`
 */
export function argumentsText(args: unknown, hidesTexts: boolean): string {
  const text = canonicalJson(redacted(args, hidesTexts));
  if (Buffer.byteLength(text) <= MAX_RECORDED_BYTES) return text;
  return text.slice(0, clipToBytes(text, MAX_RECORDED_BYTES - Buffer.byteLength(CLIPPED))) + CLIPPED;
}

/** The arguments to hash. For resources and prompts, `_meta` (such as a progress token) is left out. */
export function hashedArgs(method: string, args: unknown): unknown {
  if (method === 'tools/call') return args;
  return Object.fromEntries(Object.entries(Object(args)).filter(([name]) => name !== '_meta'));
}

/** For resources that no tool decides about; they only read. */
const UNREGISTERED = { safety: 'read', version: '1', mounts: [] } as const;

/** Records the start of a call before it is executed. Only calls that are valid and allowed get here. */
@Injectable()
export class LedgerStage implements CallStage {
  constructor(
    @Inject(CallLedger) private readonly ledger: CallLedger | null,
    private readonly registry: ToolRegistry,
    private readonly config: LedgerConfig,
  ) {}

  pass(context: ExecutionContext): Promise<void> | null {
    const mcp = mcpContextOf(context);
    const { ledger } = this;
    if (!mcp || !ledger) return null;
    const call = callOf(mcp);
    const { method, params } = mcp.mcpRequest;
    const tool = call.decisions.policy?.tool ?? method;
    const args = hashedArgs(method, context.getArgs<unknown[]>()[0]);
    const { safety, version, mounts } = this.registry.find(tool) ?? UNREGISTERED;
    const isPrivate = mounts.some((mount) => mount === 'memory');
    const text = this.config.arguments === 'on' ? argumentsText(args, isPrivate) : undefined;
    const request = { args, argumentsText: text, meta: params?._meta, safety, version };
    return ledger.start(call, tool, request);
  }
}
