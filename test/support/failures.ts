import type { CallResult } from './mcp-clients.js';

/** The required parts of a failed call. */
export interface Failure {
  readonly code: string;
  readonly reason: unknown;
}

/**
 * Checks the common form of failures: `isError`, the envelope, and one line of text that ends with the next step.
 * @returns the parts that differ between failures
 */
export function failureOf(result: CallResult): Failure {
  const text = result.content.map((block) => block.text).join('\n');
  expect(result).toMatchObject({
    isError: true,
    structuredContent: {
      error: {
        code: expect.any(String),
        message: expect.stringMatching(/\S/),
        details: { reason: expect.any(String), hint: expect.stringMatching(/\S/) },
      },
    },
  });
  const { error } = result.structuredContent as {
    error: { code: string; details: { reason: string; hint: string } };
  };
  expect(text.split('\n')).toEqual([expect.stringMatching(new RegExp(`^${error.code}: .`))]);
  expect(text).toContain(error.details.hint);
  return { code: error.code, reason: error.details.reason };
}

/** A rejected request, as both SDKs throw it. */
export interface Refusal {
  readonly code: unknown;
  readonly message: string;
  readonly data: unknown;
}

/** The rejection reason of a promise. */
export async function refusalOf(request: Promise<unknown>): Promise<Refusal> {
  try {
    await request;
  } catch (error) {
    const { code, message, data } = error as Refusal;
    return { code, message, data };
  }
  throw new Error('the request was answered');
}

/** The error code of a call, or `ok`. */
export function outcomeOf(result: CallResult): string {
  const error = result.structuredContent?.['error'] as { code: string } | undefined;
  return error?.code ?? 'ok';
}
