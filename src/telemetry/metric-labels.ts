import { ERROR_CODES } from '../core/errors.js';
import { LIMIT_REASONS } from '../core/reply.js';
import type { CallStart } from '../mcp/pipeline/call-watch.js';

/** Methods counted by name; all others are `other`. */
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];

/** Reasons for dropping duplicates, as in traces. */
export const DEDUPE_REASONS = ['same_document', 'near_duplicate'] as const;

/** Parts of a retrieval that can be degraded. */
const LEGS = ['bm25', 'vector', 'graph', 'rerank'];

const oneOf = (known: readonly string[], value: string, other: string): string =>
  known.includes(value) ? value : other;

/** Label values, all from fixed sets, so that clients can't create new series. */
export class MetricLabels {
  private readonly tools: ReadonlySet<string>;

  /** @param tools  the names of all tools */
  constructor(tools: Iterable<string>) {
    this.tools = new Set(tools);
  }

  method({ method }: CallStart): string {
    return oneOf(METHODS, method, 'other');
  }

  /** The tool's name; `unknown` if no tool has it, `none` for requests other than `tools/call`. */
  tool({ method, tool }: CallStart): string {
    if (method !== 'tools/call') return 'none';
    return tool !== null && this.tools.has(tool) ? tool : 'unknown';
  }

  code(code: string): string {
    return oneOf(ERROR_CODES, code, 'other');
  }

  limitReason(reason: string): string {
    return oneOf(LIMIT_REASONS, reason, 'other');
  }

  leg(leg: string): string {
    return oneOf(LEGS, leg, 'other');
  }
}
