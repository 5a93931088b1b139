import type { z } from 'zod';
import { InvalidArgumentError } from '../core/errors.js';
import { clipText } from '../text/clip-text.js';

const MAX_NAME = 80;

/** A wrong argument, told in words of the contract: without a code before it. */
export function wrongArgument(
  message: string,
  { reason = 'invalid_input', hint }: { readonly reason?: string; readonly hint: string },
): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason, hint, isPlain: true });
}

/** A field that a tool does not take. @param known  those that it takes */
export function unexpectedField(name: string, known: readonly string[]): InvalidArgumentError {
  return wrongArgument(`Unexpected field '${clipText(name, MAX_NAME)}'.`, {
    reason: 'unknown_field',
    hint: `Fields: ${clipText(known.join(', '), 600)}.`,
  });
}

/**
 * Turns a failed validation into one sentence about the first field that is wrong.
 * @param rules  for each field what it must be
 */
export function refuseArguments(
  rules: Readonly<Record<string, string>>,
): (error: z.ZodError) => InvalidArgumentError {
  return ({ issues }) => {
    const [first] = issues;
    if (first?.code === 'custom') {
      const told = `${first.path.map(String).join('.')} ${first.message}.`;
      return wrongArgument(told, { hint: 'Correct it and call again.' });
    }
    const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
    if (unknown) return unexpectedField(String(unknown.keys[0]), Object.keys(rules));
    const wrong = Object.keys(rules).find((field) => issues.some(({ path }) => path[0] === field));
    const message = wrong === undefined ? 'The arguments must be an object.' : `${wrong} ${rules[wrong]}.`;
    return wrongArgument(message, { hint: 'Correct it and call again.' });
  };
}
