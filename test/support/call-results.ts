import type { CallResult } from './mcp-clients.js';

/** The error in a result; an empty object if there is none. */
export const errorOf = ({ structuredContent }: CallResult) => Object(structuredContent?.['error']);

/** The `details` of a failed call; empty for a call that succeeded. */
export const detailsOf = (result: CallResult) => Object(errorOf(result).details);

export const reasonOf = (result: CallResult): unknown => detailsOf(result).reason;

/** `ok`, or the reason of the refusal. */
export const outcomeOf = (result: CallResult): unknown => (result.isError ? reasonOf(result) : 'ok');

/** @throws Error  with the result, if it is an error */
export function dataOf({ isError, structuredContent }: CallResult) {
  if (isError) throw new Error(JSON.stringify(structuredContent));
  return Object(structuredContent);
}
