import { z } from 'zod';
import { APPROVERS } from '../../core/call.js';
import { SAFETY_CLASSES } from '../../mcp/tool-class.js';

/**
 * Effects of a rule, mildest first. `notify` allows the call and marks it for operators; `approve` and `review` allow it
 * once one person or two operators have approved it.
 */
export const EFFECTS = ['allow', 'notify', 'approve', 'review', 'deny'] as const;
export type Effect = (typeof EFFECTS)[number];

/** True for the effects with which calls wait for people. */
export const needsApproval = (effect: Effect): effect is 'approve' | 'review' =>
  effect === 'approve' || effect === 'review';

/** True for the effects with which a call goes on at once. */
export const permits = (effect: Effect): boolean => effect === 'allow' || effect === 'notify';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const MAX_PATTERNS = 256;

const impossiblePattern = ({ input }: { readonly input?: unknown }): string =>
  `${JSON.stringify(input)} can match no name: names have letters, digits, dots, underscores and hyphens, and only * stands for other text. Write each name or pattern by itself`;
/** Letters of the names of tools and agents, and `*`. A pattern with others would never match, also if it denies. */
const PLAIN_PATTERN = /^[\w.*-]+$/;
/** The same for principals; what follows a colon is a value of a token. */
const PRINCIPAL_PATTERN = /^[\w.*-]+(?::[\x21-\x7e]+)?$/;

/** A name of a tool, or a pattern in which `*` stands for any text. */
export const toolPattern = z.string().max(128).regex(PLAIN_PATTERN, { error: impossiblePattern });
export const toolPatterns = z.array(toolPattern).min(1).max(MAX_PATTERNS);
const principalPatterns = z
  .array(z.string().max(128).regex(PRINCIPAL_PATTERN, { error: impossiblePattern }))
  .min(1)
  .max(MAX_PATTERNS);
/** A name in the file: of a rule, an agent, a capability or a template. */
export const nameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/i, 'use up to 64 letters, digits, dots, hyphens and underscores');

const isZone = (zone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
};

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'use a time such as 08:00');

const timeSchema = z
  .strictObject({
    days: z.array(z.enum(DAYS)).min(1).max(7).optional().describe('Days of the week. Default: all.'),
    from: clock.default('00:00').describe('First minute of the day, such as 08:00.'),
    to: clock
      .default('00:00')
      .describe('First minute that no longer matches. At or before `from`: on the next day.'),
    time_zone: z
      .string()
      .max(64)
      .refine(isZone, 'use a name of the IANA database, such as Europe/Berlin')
      .default('UTC')
      .describe('IANA time zone.'),
  })
  .describe('When the rule applies. A span over midnight belongs to the day on which it begins.');

/** A value of a scope is compared as it is. */
const scopeValue = z
  .string()
  .min(1)
  .max(256)
  .refine((value) => !value.includes('*') && value.trim() === value, {
    error:
      'values of a scope are no patterns: name each value in full, without * and without spaces around it',
  });
const values = z.array(scopeValue).min(1).max(MAX_PATTERNS).optional();

const scopeSchema = z
  .strictObject({
    project_ids: values,
    environments: values,
    doc_tags: values,
    repositories: values,
  })
  .describe(
    'The documents that the call may see. `allow` and `notify` match only if all of them are named here, `approve`, `review` and `deny` if any is.',
  );

/** Max minutes that a request for approval can wait: a week. */
const MAX_EXPIRES_MINUTES = 10_080;

const ruleFields = z.strictObject({
  name: nameSchema.describe('Unique; answers and records name the rule that decided.'),
  tools: toolPatterns.optional().describe('Tool names or patterns, such as kb.* or *.'),
  safety: z.array(z.enum(SAFETY_CLASSES)).min(1).max(SAFETY_CLASSES.length).optional(),
  agents: toolPatterns.optional(),
  principals: principalPatterns.optional(),
  scope: scopeSchema.optional(),
  time: timeSchema.optional(),
  effect: z.enum(EFFECTS),
  reason: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Shown to a caller that is refused, and to those who approve.'),
  approver: z
    .enum(APPROVERS)
    .optional()
    .describe(
      'Who approves, for the effect approve: an operator of the server, or also the user at the host of the caller. Default: operator.',
    ),
  expires_in_minutes: z
    .int()
    .min(1)
    .max(MAX_EXPIRES_MINUTES)
    .optional()
    .describe('Minutes until a request for approval expires, also if it was granted. Default: 60.'),
});

/** One rule of a policy. A field that is left out matches every call. */
export const policyRuleSchema = ruleFields.superRefine(
  ({ effect, approver, expires_in_minutes }, context) => {
    if (approver !== undefined && effect !== 'approve')
      context.addIssue({
        code: 'custom',
        path: ['approver'],
        message: 'only for the effect approve. Remove it, or use effect: approve',
      });
    if (expires_in_minutes !== undefined && !needsApproval(effect))
      context.addIssue({
        code: 'custom',
        path: ['expires_in_minutes'],
        message: 'only for the effects approve and review. Remove it, or use one of them',
      });
  },
);

export type PolicyRule = z.output<typeof policyRuleSchema>;
export type RuleTime = NonNullable<PolicyRule['time']>;
export type RuleScope = NonNullable<PolicyRule['scope']>;
