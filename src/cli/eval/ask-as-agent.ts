import { z } from 'zod';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import type { SearchMode } from '../../core/ranking.js';
import type { RetrievedEvidence } from '../../kb/evidence.schemas.js';
import { type AnsweredCall, type CallTool, outputOf } from '../../mcp/answered-call.js';
import type { Ask, Asked } from './eval-services.js';

/** Replaces the id of the call, so that the same question takes the same number of tokens every time. */
const SAME_ID = '00000000-0000-4000-8000-000000000000';

const contentSchema = z.array(z.looseObject({ text: z.string().default('') }));

/** `kb.retrieve_evidence`, and the way to call it. */
interface EvidenceTool {
  readonly name: string;
  readonly output: z.ZodType<RetrievedEvidence>;
  readonly call: CallTool;
  readonly mode: SearchMode;
}

/** @returns null for a failed call @throws InvalidArgumentError for a question that the tool rejects */
function evidenceOf(
  answer: AnsweredCall,
  id: string,
  { name, output }: EvidenceTool,
): RetrievedEvidence | null {
  const { error } = answer.finished;
  if (error?.reason === 'invalid_input') {
    throw new InvalidArgumentError(`${id} is not a valid question for ${name}: ${error.message}`, {
      reason: 'eval_input_malformed',
      hint: 'Correct the question, its keywords or its parts.',
    });
  }
  if (error?.thrown instanceof PithError) return null;
  return output.parse(outputOf(answer));
}

/** The estimate behind `answerable`, with four decimals. */
function confidenceOf({ finished }: AnsweredCall): number | null {
  const { answerable = null } = finished.call.trace.retrieval ?? {};
  return answerable && Math.round(answerable.confidence * 10_000) / 10_000;
}

/** Creates the function that asks as an agent does and measures the result. */
export function askAsAgent(tool: EvidenceTool, clock: () => number): Ask {
  return async ({ id, question, keywords, parts }): Promise<Asked> => {
    const start = clock();
    const answer = await tool.call(tool.name, { question, keywords, parts, options: { mode: tool.mode } });
    const ms = clock() - start;
    const output = evidenceOf(answer, id, tool);
    const json = (value: unknown): string =>
      JSON.stringify(value).replaceAll(answer.finished.call.id, SAME_ID);
    return {
      output,
      content: contentSchema
        .parse(answer.result['content'])
        .map(({ text }) => text)
        .join(''),
      structured: json(answer.result['structuredContent'] ?? {}),
      bytes: Buffer.byteLength(json(answer.result)),
      calls: 1,
      ms,
      confidence: output && confidenceOf(answer),
    };
  };
}
