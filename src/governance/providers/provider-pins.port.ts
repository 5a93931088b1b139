import { text, textOrNull } from '../../sqlite/driver.js';

/** Longest definition that is stored, in UTF-8 bytes of its canonical JSON. */
export const MAX_DEFINITION_BYTES = 65_536;
/** Max tools that are stored of one provider. */
export const MAX_PROVIDER_TOOLS = 512;

/** Longest name that is stored, in characters; longer ones can't be accepted. */
export const MAX_TOOL_NAME = 128;

/** The definition of a tool: its name, title, description and schemas. */
interface ToolSnapshot {
  /** Canonical JSON. */
  readonly definition: string;
  /** SHA-256 of it, hex. */
  readonly hash: string;
}

/** A tool as its provider lists it. */
export interface ListedSnapshot extends ToolSnapshot {
  /** As the provider names it; at most `MAX_TOOL_NAME` characters. */
  readonly tool: string;
  /** Why the tool can't be accepted; null if it can. */
  readonly problem: string | null;
}

/** A tool of a provider: what the provider lists now, and what an operator has accepted. */
export interface ProviderPin {
  readonly provider: string;
  readonly tool: string;
  /** Null if the provider no longer lists the tool. */
  readonly listed: (ToolSnapshot & { readonly problem: string | null }) | null;
  /** Null before the first acceptance. `at` is in milliseconds since the epoch. */
  readonly accepted: (ToolSnapshot & { readonly at: number; readonly by: string }) | null;
}

/** An operator accepts definitions as they were shown. */
export interface PinAcceptance {
  readonly provider: string;
  /** The tools, with the hashes that were shown. */
  readonly tools: readonly { readonly tool: string; readonly hash: string }[];
  /** Name of the operator. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Stores which definitions of external tools were accepted. Several processes may share one store; each method is
 * atomic among them. All methods throw BackendUnavailableError if the store can't be used.
 */
export abstract class ProviderPins {
  /**
   * Replaces what a provider lists. Tools that it no longer lists and that were never accepted are forgotten.
   * @param listed  at most `MAX_PROVIDER_TOOLS`, with different names
   */
  abstract note(provider: string, listed: readonly ListedSnapshot[]): Promise<void>;
  /** The tools of one provider, or of all, in the order of provider and tool. */
  abstract pins(provider?: string): Promise<ProviderPin[]>;
  /**
   * Accepts all named definitions, or none.
   * @returns false if a tool is not listed as it was shown, or can't be accepted
   */
  abstract accept(acceptance: PinAcceptance): Promise<boolean>;
  /** Grows with each acceptance of any process; 0 before the first. */
  abstract revision(): Promise<number>;
  abstract close(): Promise<void>;
}

/** A row as the state of a tool. */
export function pinOf(row: Readonly<Record<string, unknown>>): ProviderPin {
  const [listedHash, hash] = [textOrNull(row['listed_hash']), textOrNull(row['hash'])];
  return {
    provider: text(row['provider']),
    tool: text(row['tool']),
    listed:
      listedHash === null
        ? null
        : { definition: text(row['listed']), hash: listedHash, problem: textOrNull(row['problem']) },
    accepted:
      hash === null
        ? null
        : {
            definition: text(row['definition']),
            hash,
            at: Number(row['accepted_at']),
            by: text(row['accepted_by']),
          },
  };
}
