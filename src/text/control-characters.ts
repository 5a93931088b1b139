const CONTROL = /\p{Cc}/u;

export const CONTROL_MESSAGE = 'must not contain a control character';

/** True when a text has no C0 and C1 controls. Line breaks and tabs count as controls. */
export function hasNoControl(text: string): boolean {
  return !CONTROL.test(text);
}
