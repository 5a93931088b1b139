/** Gives functions their names. `bundle.mjs` injects it into the modules that `keep-names.mjs` has changed. */
export function __named(functions) {
  for (const [name, value] of Object.entries(functions))
    Object.defineProperty(value, 'name', { value: name, configurable: true });
}
