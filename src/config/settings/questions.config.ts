import { Choice, Count, List } from '../setting.js';

/** Which questions the server keeps, so that operators see what the documents do not answer. */
export class QuestionsConfig {
  @Choice(
    'PITH_QUESTIONS',
    'on: questions, their verdicts and what callers say about the answers are kept in the work store, for pith gaps and /admin/gaps. See docs/gaps.md.',
    ['off', 'on'],
  )
  mode: 'off' | 'on' = 'off';

  @Count('PITH_QUESTIONS_RETENTION_DAYS', 'Days to keep questions. Older ones are removed daily.', {
    min: 1,
    max: 3_650,
  })
  retentionDays = 90;

  @Choice(
    'PITH_QUESTIONS_SUMMARY',
    'weekly: a summary of gaps, with an example of each, is sent to PITH_APPROVAL_WEBHOOK_URL after each week.',
    ['off', 'weekly'],
  )
  summary: 'off' | 'weekly' = 'off';

  @List(
    'PITH_QUESTIONS_REDACT',
    'Words and phrases that are replaced in kept questions, besides secrets. * stands for up to 40 characters without white space, at the end of an entry for all of them; # for a digit. Case does not matter.',
    {
      takes: 'comma-separated, with at most two * in each entry',
      pattern: /^(?:[^*]*\*){0,2}[^*]*$/,
    },
  )
  redact: string[] = [];
}
