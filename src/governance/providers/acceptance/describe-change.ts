import { seenLine, seenText } from '../../../text/show-unseen.js';
import type { ProviderPin } from '../provider-pins.js';
import { fullNameOf, type ReviewState, reviewState } from '../review-tools.js';
import { sha256 } from '../tool-snapshot.js';

/** The state of a stored tool; `gone` if the provider no longer lists it. */
export function pinState({ listed, accepted }: ProviderPin): ReviewState | 'gone' {
  return listed === null ? 'gone' : reviewState(listed, accepted);
}

/** The tools that an operator can accept. */
export function waitingPins(pins: readonly ProviderPin[]): ProviderPin[] {
  return pins.filter((pin) => ['new', 'changed'].includes(pinState(pin)));
}

/** Names a set of definitions: it changes with every tool and every hash in it. */
export function hashOfAll(pins: readonly ProviderPin[]): string {
  const named = pins.map(({ provider, tool, listed }) => `${provider}\n${tool}\n${listed?.hash ?? ''}`);
  return sha256(named.sort().join('\n\n'));
}

/** A definition as lines: texts as they are, schemas as indented JSON. */
function linesOf(definition: string): string[] {
  const parsed: unknown = JSON.parse(definition);
  return Object.entries(Object(parsed)).flatMap(([field, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return text.split('\n').map((line, i) => seenText(`${i === 0 ? `${field}: ` : '  '}${line}`));
  });
}

/** Above this number, lines are not compared, but all shown as removed and added. */
const MAX_COMPARED = 2_000;

/** Lengths of the longest common subsequences of the rests of two lists, by index of both. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    const row = table[i];
    for (let j = after.length - 1; row && j >= 0; j--) {
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return table;
}

/** The lines of both lists, marked `-`, `+` or with a space. */
function compared(before: readonly string[], after: readonly string[]): string[] {
  if (Math.max(before.length, after.length) > MAX_COMPARED) {
    return [...before.map((line) => `- ${line}`), ...after.map((line) => `+ ${line}`)];
  }
  const table = commonLengths(before, after);
  const lines: string[] = [];
  for (let [i, j] = [0, 0]; i < before.length || j < after.length;) {
    const [old, next] = [before[i], after[j]];
    if (old !== undefined && old === next) {
      lines.push(`  ${old}`);
      [i, j] = [i + 1, j + 1];
    } else if (old !== undefined && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? -1)) {
      lines.push(`- ${old}`);
      i++;
    } else {
      lines.push(`+ ${next ?? ''}`);
      j++;
    }
  }
  return lines;
}

/** The lines that an operator accepts: the definition of a new tool, or its changes since it was accepted. */
export function changeLines(pin: ProviderPin): string[] {
  const { provider, tool, listed, accepted } = pin;
  const state = pinState(pin);
  const name = seenLine(fullNameOf(provider, tool));
  if (!listed || (state !== 'new' && state !== 'changed')) return [`${name}: ${state}`];
  const before = accepted === null ? [] : linesOf(accepted.definition);
  return [`${name}: ${state}, hash ${listed.hash}`, ...compared(before, linesOf(listed.definition))];
}
