import type { EntityType } from '../../core/graph-model.js';

/** Facts about a document that decide the type of names with an ambiguous form. */
export interface NameEvidence {
  /** Programs in its command lines. */
  readonly programs: ReadonlySet<string>;
  /** Keys in its YAML, TOML and INI fences, and in JSON fences of sections about settings. */
  readonly keys: ReadonlySet<string>;
  /** Dotted names that its code calls. */
  readonly called: ReadonlySet<string>;
  /** C and C++ headers that its code includes. */
  readonly headers: ReadonlySet<string>;
  /** Upper-case words that its code uses as identifiers. */
  readonly constants: ReadonlySet<string>;
  /** True when it has PowerShell code; in other documents, words such as Read-Only are English. */
  readonly hasCmdlets: boolean;
  /** True when it mentions settings. */
  readonly hasSettings: boolean;
  /** True when it mentions constants or macros and the current section does not mention the environment. */
  readonly hasConstants: boolean;
}

/** Upper-case words are environment variables, unless they are constants or belong to the Windows registry. */
export function typeOfCapitals(name: string, { constants, hasConstants }: NameEvidence): EntityType {
  return constants.has(name) || /^(?:HKEY|REG)_/.test(name) || hasConstants
    ? 'Symbol'
    : 'EnvironmentVariable';
}
