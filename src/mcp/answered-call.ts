import { z } from 'zod';
import type { FinishedCall } from './pipeline/call-watch.js';
import type { SentResult } from './transport/in-process-transport.js';

/** Arguments of a tool, as they are sent. */
export type ToolArguments = Readonly<Record<string, unknown>>;

export interface AnsweredCall {
  /** As an agent receives it. */
  readonly result: SentResult;
  readonly finished: FinishedCall;
}

/** Calls a tool through the pipeline, as an agent does. A failed call is a result. */
export type CallTool = (tool: string, args: ToolArguments) => Promise<AnsweredCall>;

const textSchema = z.object({ content: z.tuple([z.object({ text: z.string() })], z.unknown()) });

/** The output of a tool, with or without structured output. @throws the error of a failed call */
export function outputOf({ result, finished: { error } }: AnsweredCall): unknown {
  if (error) throw error.thrown;
  return result['structuredContent'] ?? JSON.parse(textSchema.parse(result).content[0].text);
}
