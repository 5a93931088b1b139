import type { z } from 'zod';
import { InvalidArgumentError } from '../core/errors.js';
import { clipText } from '../text/span.js';

const MAX_NAME = 80;

interface WrongArgument {
  readonly reason?: string;
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An argument error in the contract's wording, without a code in front. */
export function wrongArgument(
  message: string,
  { reason = 'invalid_input', hint, details = {} }: WrongArgument,
): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason, hint, details, isPlain: true });
}

/** The error for an unknown field. @param known  the fields of the tool */
export function unexpectedField(name: string, known: readonly string[]): InvalidArgumentError {
  return wrongArgument(`Unexpected field '${clipText(name, MAX_NAME)}'.`, {
    reason: 'unknown_field',
    hint: `Fields: ${clipText(known.join(', '), 600)}.`,
  });
}

/** Turns a failed validation into a sentence about the first wrong field. @param rules  the requirement of each field */
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
