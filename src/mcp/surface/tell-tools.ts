import type { Caller } from '../../core/call.js';
import type { HostProfile } from '../../core/host-profile.js';
import { spelledFor } from './surface.js';
import type { Surface } from './surface.js';

/** Who reads a text: what decides which tools it may name, and how. */
export interface Reader {
  readonly host: HostProfile;
  readonly isOperator: boolean;
}

/** A whole word that may be the name of a tool. */
const NAME = /[a-z]\w*(?:\.[a-z]\w*)*/g;

/** Tool names in a text. */
function namesIn(text: string, { tools }: Surface): string[] {
  const words: readonly string[] = text.match(NAME) ?? [];
  return words.filter((word) => tools.has(word));
}

/** A text with every tool spelled as the host lists it. */
export function spellTools(text: string, surface: Surface, host: HostProfile): string {
  return text.replace(NAME, (word) => (surface.tools.has(word) ? spelledFor(word, host) : word));
}

/** Whether a reader can call every tool that a text names. */
export function canFollow(text: string, surface: Surface, { isOperator }: Reader): boolean {
  return namesIn(text, surface).every((name) => {
    const state = surface.tools.get(name);
    return state?.isOn === true && (isOperator || state.definition.permission !== 'operator');
  });
}

/** Advice without the sentences that name a tool the reader can't call; other tools are spelled for its host. */
export function tellTools(text: string, surface: Surface, reader: Reader): string {
  const sentences = text.split(/(?<=[.!?])(?=\s)/);
  const kept = sentences.filter((sentence) => canFollow(sentence, surface, reader));
  return spellTools(kept.join(''), surface, reader.host).trimStart();
}

/** Plain data, such as a schema, with all its descriptions told in this way. */
export function tellDescriptions<T extends object>(data: T, surface: Surface, reader: Reader): T {
  const told = JSON.stringify(data, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? tellTools(value, surface, reader) : value,
  );
  const parsed: T = JSON.parse(told);
  return parsed;
}

/** Puts a text of ours into words for one caller. @param isAdvice  whether it says what to call next */
export type Words = (text: string, isAdvice?: boolean) => string;

/**
 * Words for a caller: tools spelled for its host, none advised that it can't call, and no path of ours for callers from
 * outside. Messages may echo what was sent, so no sentence of theirs is left out.
 */
export function wordsFor(caller: Caller, surface: Surface): Words {
  return (text, isAdvice = false) => {
    const told = isAdvice ? tellTools(text, surface, caller) : spellTools(text, surface, caller.host);
    return caller.isLocal ? told : told.replaceAll(surface.indexFile, 'INDEX-FILE');
  };
}
