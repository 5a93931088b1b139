import { FEEDBACK } from '../../mcp/tool-class.js';
import { answeredTool } from '../../mcp/tool-controller.js';
import { feedbackInput, feedbackOutput, FeedbackService } from './feedback.service.js';
import { MAX_MISSING } from './question.js';

/**
 * The tool about questions. Declared as a tool that reads: like the record of calls, what it keeps is for operators alone, and
 * changes nothing that a tool returns.
 */
export const QUESTION_TOOLS = [
  answeredTool(FeedbackService, {
    name: FEEDBACK,
    title: 'Say if an answer helped',
    description:
      'Use when you know if an answer of kb.retrieve_evidence helped: its writers see what is missing. ' +
      'Do not use when you want to ask again: call kb.retrieve_evidence. ' +
      'Returns at most the id (1 KB). If you need more, call it again: the last word counts. ' +
      `Defaults: missing empty. Max: missing ${MAX_MISSING} characters.`,
    input: feedbackInput,
    output: feedbackOutput,
    feature: 'questions',
    isCore: false,
    permission: 'read',
    mounts: ['documents'],
    budget: { bytes: 1_024, tokens: 400 },
    rendering: {
      full: ({ answered }) => `Kept: ${answered}.`,
      summary: ({ answered }) => `Kept: ${answered}.`,
    },
    answer: (service, call, input) => service.say(call, input),
  }),
];
