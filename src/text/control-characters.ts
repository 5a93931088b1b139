const CONTROL = /\p{Cc}/u;

export const CONTROL_MESSAGE = 'must not contain a control character';

/** Whether a text is free of C0 and C1 controls, line breaks and tabs included. */
export function hasNoControl(text: string): boolean {
  return !CONTROL.test(text);
}
