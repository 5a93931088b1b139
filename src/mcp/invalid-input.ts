import type { z } from 'zod';
import { InvalidArgumentError } from '../core/errors.js';

const MAX_ISSUES = 8;
const MAX_CHARS = 160;

interface Problem {
  readonly path: string;
  readonly problem: string;
}

const clip = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);

function toProblem(issue: z.core.$ZodIssue): Problem {
  return { path: clip(issue.path.map(String).join('.')), problem: clip(issue.message) };
}

/** An error that says field by field what to change. @param reason  for a contract with one reason for all */
export function invalidInput(error: z.ZodError, reason?: string): InvalidArgumentError {
  const problems = error.issues.slice(0, MAX_ISSUES).map(toProblem);
  const isUnknownField = error.issues.every((issue) => issue.code === 'unrecognized_keys');
  const lines = problems.map(({ path, problem }) => (path === '' ? problem : `${path}: ${problem}`));
  return new InvalidArgumentError(`Invalid arguments. ${lines.join('; ')}.`, {
    reason: reason ?? (isUnknownField ? 'unknown_field' : 'invalid_input'),
    hint: 'Correct the named fields as the input schema says, and call again.',
    details: { issues: problems },
  });
}
