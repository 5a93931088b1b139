/** The part of js-yaml that Pith uses; it has no types of its own. */
declare module 'js-yaml' {
  /** Values of JSON, without dates and binary data. */
  export const CORE_SCHEMA: object;
  /** @param options  `json`: of equal keys, the last one counts @throws Error for damaged YAML, and for several documents */
  export function load(text: string, options: { readonly schema: object; readonly json: boolean }): unknown;
}
