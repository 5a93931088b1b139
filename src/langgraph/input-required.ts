import type { CallToolResult } from './tool-result.js';

/** The result of a call that needs an answer of the caller first (MCP 2026-07-28). */
export interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests: Readonly<
    Record<string, { readonly method?: string; readonly params?: { readonly message?: string } }>
  >;
  readonly requestState?: string;
}

export function isInputRequired(result: CallToolResult | InputRequired): result is InputRequired {
  return 'resultType' in result && result.resultType === 'input_required';
}

/** The parameters that answer all questions of a call in the same way. */
export function inputResponses({ inputRequests, requestState }: InputRequired, isApproved: boolean): object {
  const answer = isApproved ? { action: 'accept', content: {} } : { action: 'decline' };
  return {
    inputResponses: Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer])),
    ...(requestState === undefined ? {} : { requestState }),
  };
}
