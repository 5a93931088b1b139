import type { EntityType } from '../../core/graph-model.js';

/** What a document tells about names whose form leaves it open. */
export interface NameEvidence {
  /** Programs that its command lines run. */
  readonly programs: ReadonlySet<string>;
  /** Keys of its YAML, TOML and INI fences, and of JSON where settings are spoken of. */
  readonly keys: ReadonlySet<string>;
  /** Dotted names that it calls. */
  readonly called: ReadonlySet<string>;
  /** C and C++ headers that its fences include. */
  readonly headers: ReadonlySet<string>;
  /** Words in capitals that its code uses as identifiers. */
  readonly constants: ReadonlySet<string>;
  /** Whether it shows PowerShell: elsewhere a verb, a hyphen and a noun are English (Read-Only). */
  readonly hasCmdlets: boolean;
  /** Whether it speaks of settings. */
  readonly hasSettings: boolean;
  /** Whether it speaks of constants or macros, and the section at hand not of the environment. */
  readonly hasConstants: boolean;
}

/** Words in capitals (but for those of the Windows registry) are variables of the environment unless the document shows that they are constants. */
export function typeOfCapitals(name: string, { constants, hasConstants }: NameEvidence): EntityType {
  return constants.has(name) || /^(?:HKEY|REG)_/.test(name) || hasConstants
    ? 'Symbol'
    : 'EnvironmentVariable';
}
