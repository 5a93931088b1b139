import type { CallResult } from './mcp-clients.js';

/** A failed call, reduced to what every failure owes its caller. */
export interface Failure {
  readonly code: string;
  readonly reason: unknown;
}

/**
 * Checks the form that all failures share: `isError`, the envelope, and one line of text that ends with what to do next.
 * @returns what differs between them
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

/** A refused request, as both SDKs throw it. */
export interface Refusal {
  readonly code: unknown;
  readonly message: string;
  readonly data: unknown;
}

/** What a promise was rejected with. */
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
