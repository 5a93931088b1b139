import type { Caller } from '../../core/call.js';
import type { HostProfile } from '../../core/host-profile.js';
import type { Actor } from '../tool-access.js';
import { isListedFor, spelledFor, type Surface, type ToolState } from './surface.js';

/** The reader of a text; decides which tool names it may contain and their spelling. */
export type Reader = Actor & Pick<Caller, 'host'>;

/** A whole word that may be the name of a tool. */
const NAME = /[a-z]\w*(?:\.[a-z]\w*)*/g;

/** A name that is also an English word, such as `search`, is meant only between backticks. */
const MENTION = /`[a-z]\w*`|[a-z]\w*(?:\.[a-z]\w*)*/g;

function namesIn(text: string, { tools }: Surface): string[] {
  const words: readonly string[] = text.match(MENTION) ?? [];
  return words
    .filter((word) => /[._]/.test(word) || word.startsWith('`'))
    .map((word) => word.replaceAll('`', ''))
    .filter((word) => tools.has(word));
}

/** Replaces tool names by the host's spelling. */
export function spellToolNames(text: string, surface: Surface, host: HostProfile): string {
  return text.replace(NAME, (word) => (surface.tools.has(word) ? spelledFor(word, host) : word));
}

/** True when the reader may call a tool. */
export function mayCall({ definition, isOn }: ToolState, { access }: Surface, reader: Reader): boolean {
  return isOn && reader.permissions.includes(definition.permission) && access.offers(reader, definition.name);
}

/** True when the reader may call every tool that a text names. */
export function canCallTools(text: string, surface: Surface, reader: Reader): boolean {
  return namesIn(text, surface).every((name) => {
    const state = surface.tools.get(name);
    if (state === undefined || !mayCall(state, surface, reader)) return false;
    return state.definition.feature !== 'search_fetch' || isListedFor(state, reader.host);
  });
}

/** Removes sentences that name a tool the reader can't call, and spells the other tools for its host. */
export function adaptAdvice(text: string, surface: Surface, reader: Reader): string {
  const sentences = text.split(/(?<=[.!?])(?=\s)/);
  const kept = sentences.filter((sentence) => canCallTools(sentence, surface, reader));
  return spellToolNames(kept.join(''), surface, reader.host).trimStart();
}

/** Applies `adaptAdvice` to all descriptions in plain data, such as a schema. */
export function adaptDescriptions<T extends object>(data: T, surface: Surface, reader: Reader): T {
  const json = JSON.stringify(data, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? adaptAdvice(value, surface, reader) : value,
  );
  const parsed: T = JSON.parse(json);
  return parsed;
}

/** Adapts a text to one caller. @param isAdvice  true for hints, false for messages */
export type TextAdapter = (text: string, isAdvice?: boolean) => string;

/**
 * Adapts texts to a caller: tools in its host's spelling, no advice to call a tool that it can't call, and no server
 * path for remote callers. Messages keep all their sentences, since they may quote caller input.
 */
export function textAdapterFor(caller: Caller, surface: Surface): TextAdapter {
  return (text, isAdvice = false) => {
    const adapted = isAdvice
      ? adaptAdvice(text, surface, caller)
      : spellToolNames(text, surface, caller.host);
    return caller.isLocal ? adapted : adapted.replaceAll(surface.indexFile, 'INDEX-FILE');
  };
}
