/** An object of JSON or YAML. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; [] for anything else. */
export const objects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** The entries of an object whose values are objects; [] for anything else. */
export const namedObjects = (value: unknown): (readonly [name: string, value: JsonObject])[] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([name, one]) => (isJsonObject(one) ? [[name, one] as const] : []))
    : [];

/** A text, or a number or truth value as text; '' for anything else. */
export const textIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';

/** The texts of a list; [] for anything else. */
export const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).map(textIn).filter((text) => text !== '');
