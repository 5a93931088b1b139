import type { z } from 'zod';
import { InvalidArgumentError } from '../core/errors.js';
import { type FileProblem, problemsOf, type UnfitValue } from './describe-issue.js';

const MAX_ISSUES = 8;
/** Enough for a list of twenty names. */
const MAX_CHARS = 400;

interface Problem {
  readonly path: string;
  readonly problem: string;
}

const clip = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);

const toProblem = ({ path, message }: FileProblem): Problem => ({
  path: clip(path.map(String).join('.')),
  problem: clip(message),
});

/**
 * An error that says field by field what to change.
 * @param input  what was checked; messages quote none of its texts
 * @param reason  for a contract with one reason for all
 */
export function invalidInput(
  error: z.ZodError,
  input: Pick<UnfitValue, 'schema' | 'value'>,
  reason?: string,
): InvalidArgumentError {
  const problems = problemsOf(error.issues.slice(0, MAX_ISSUES), { ...input, isPrivate: true })
    .slice(0, MAX_ISSUES)
    .map(toProblem);
  const isUnknownField = error.issues.every((issue) => issue.code === 'unrecognized_keys');
  const lines = problems.map(({ path, problem }) => (path === '' ? problem : `${path}: ${problem}`));
  return new InvalidArgumentError(`Invalid arguments. ${lines.join('; ')}.`, {
    reason: reason ?? (isUnknownField ? 'unknown_field' : 'invalid_input'),
    hint: 'Correct the named fields as the input schema says, and call again.',
    details: { issues: problems },
  });
}
