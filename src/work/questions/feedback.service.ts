import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { QuestionsConfig } from '../../config/settings/questions.config.js';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { type Reply, wholeReply } from '../../core/reply.js';
import { clipText } from '../../text/span.js';
import { privateHider } from './hide-private.js';
import { ANSWERED, MAX_MISSING } from './question.js';
import { QuestionRecorder } from './question-recorder.js';
import { type Feedback, QuestionStore } from './question-store.js';

export const feedbackInput = z.strictObject({
  question_id: z.uuid().describe('The diagnostic_id of the answer.'),
  answered: z.enum(ANSWERED),
  missing: z
    .string()
    .max(MAX_MISSING)
    .default('')
    .describe('What the documents do not say, in one sentence.'),
});
type FeedbackInput = z.output<typeof feedbackInput>;

export const feedbackOutput = z.strictObject({ question_id: z.uuid(), answered: z.enum(ANSWERED) });
type FeedbackOutput = z.output<typeof feedbackOutput>;

/** Time in which a question is written, by this server or another replica (ms). */
const LATE_MS = 400;

/** Keeps what callers say about answers. */
@Injectable()
export class FeedbackService {
  private readonly hide: (text: string) => string;

  constructor(
    private readonly store: QuestionStore,
    @Inject(QuestionRecorder) private readonly recorder: QuestionRecorder | null,
    config: QuestionsConfig,
  ) {
    this.hide = privateHider(config.redact);
  }

  /** @throws InvalidArgumentError `question_not_found`, also for questions of others */
  async say(call: Call, { question_id, answered, missing }: FeedbackInput): Promise<Reply<FeedbackOutput>> {
    const feedback = {
      questionId: question_id.toLowerCase(),
      principal: call.caller.principal,
      answered,
      missing: clipText(this.hide(missing.toWellFormed()), MAX_MISSING),
    };
    if (await this.keep(call, feedback)) return wholeReply({ question_id, answered });
    await setTimeout(LATE_MS, undefined, { signal: call.signal });
    if (await this.keep(call, feedback)) return wholeReply({ question_id, answered });
    throw new InvalidArgumentError('No question of yours with this id is kept.', {
      reason: 'question_not_found',
      hint: 'Use the diagnostic_id of an answer that kb.retrieve_evidence gave to you.',
    });
  }

  private async keep({ scope }: Call, feedback: Feedback): Promise<boolean> {
    await this.recorder?.flush();
    return this.store.say(scope, feedback);
  }
}
