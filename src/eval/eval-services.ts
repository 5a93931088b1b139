import { randomUUID } from 'node:crypto';
import { type Call, newTrace, UNCORRELATED } from '../core/call.js';
import { GENERIC_PROFILE } from '../core/host-profile.js';
import type { GraphStore } from '../core/ports/graph-store.port.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import type { SearchMode } from '../core/ranking.js';
import type { Scope } from '../core/scope.js';
import type { RetrievedEvidence } from '../kb/evidence.schemas.js';
import type { EvidenceService } from '../kb/evidence/evidence.service.js';
import type { PassagesService } from '../scratch/passages.service.js';
import type { GoldenQuestion } from './sets/golden-set.js';

/** What is measured apart from the tools: single steps of a retrieval. */
export interface EvalServices {
  readonly index: SectionIndex;
  /** Null where it is switched off. */
  readonly graph: GraphStore | null;
  readonly evidence: EvidenceService;
  readonly passages: PassagesService;
  readonly scope: () => Promise<Scope>;
  /** How sections are ranked. */
  readonly mode: SearchMode;
}

/** A call for such a step. No tool is called with it. */
export function callIn(scope: Scope): Call {
  const begunAt = performance.now();
  return {
    id: randomUUID(),
    caller: {
      principal: 'local',
      sessionId: 'eval',
      host: GENERIC_PROFILE,
      isLocal: true,
      isOperator: true,
    },
    scope,
    signal: new AbortController().signal,
    now: Date.now,
    elapsed: () => performance.now() - begunAt,
    correlation: UNCORRELATED,
    trace: newTrace(),
  };
}

/** What a question brought, as its caller gets it. */
export interface Asked {
  /** Null when the call failed. */
  readonly output: RetrievedEvidence | null;
  /** Text of all `content` blocks. */
  readonly content: string;
  /** `structuredContent` as JSON. */
  readonly structured: string;
  /** UTF-8 bytes of the whole result. */
  readonly bytes: number;
  readonly calls: number;
  /** From the arguments to the rendered result. */
  readonly ms: number;
  /** The estimate behind `answerable`, where debugging shows it. */
  readonly confidence: number | null;
}

/** Asks as an agent would, through everything between a tool's arguments and its result. */
export type Ask = (
  question: Pick<GoldenQuestion, 'id' | 'question' | 'keywords' | 'parts'>,
) => Promise<Asked>;

/** Progress of a run. */
export interface RunOptions {
  /** Milliseconds from any start; only differences count. */
  readonly clock: () => number;
  readonly onProgress: (done: number, total: number) => void;
}
