import { entityKey } from '../../core/entity-key.js';
import type { EntityType } from '../../core/graph-model.js';
import type { FoundMention } from '../../core/indexed-document.js';
import { type FoundName, TYPE_PRECEDENCE } from './entity-type.js';

const MAX_NAME = 120;
const MAX_PER_SECTION = 64;

interface Tally {
  readonly key: string;
  readonly spellings: Map<string, number>;
  isDefined: boolean;
}

interface MentionOptions {
  readonly isDefined?: boolean;
  /** Number of mentions; 1 by default. 0 adds a type or a definition without counting. */
  readonly times?: number;
}

export class MentionTally {
  private readonly sections = new Map<number, Map<string, Tally>>();
  /** Lowest position in TYPE_PRECEDENCE by key. */
  private readonly ranks = new Map<string, number>();
  private readonly keys = new Map<string, string>();

  add(
    section: number,
    { name, type }: FoundName,
    { isDefined = false, times = 1 }: MentionOptions = {},
  ): void {
    const key = name.length > MAX_NAME ? '' : this.keyOf(name);
    if (key === '') return;
    const rank = TYPE_PRECEDENCE.indexOf(type);
    this.ranks.set(key, Math.min(rank, this.ranks.get(key) ?? rank));
    const tally = this.tallyOf(section, key);
    tally.spellings.set(name, (tally.spellings.get(name) ?? 0) + times);
    if (isDefined) tally.isDefined = true;
  }

  typeOf(name: string): EntityType | null {
    return TYPE_PRECEDENCE[this.ranks.get(this.keyOf(name)) ?? -1] ?? null;
  }

  /** By section; within a section definitions first, then by count, then by name; at most 64 per section. */
  mentions(): FoundMention[] {
    const sections = [...this.sections].sort(([a], [b]) => a - b);
    return sections.flatMap(([section, tallies]) =>
      [...tallies.values()]
        .map((tally) => this.toMention(section, tally))
        .sort(compareMentions)
        .slice(0, MAX_PER_SECTION),
    );
  }

  private toMention(section: number, { key, spellings, isDefined }: Tally): FoundMention {
    let [name, most, count] = ['', 0, 0];
    for (const [spelling, times] of spellings) {
      count += times;
      if (times > most) [name, most] = [spelling, times];
    }
    const type = TYPE_PRECEDENCE[this.ranks.get(key) ?? -1] ?? 'Concept';
    return { section, name, type, count, isDefined };
  }

  private keyOf(name: string): string {
    const known = this.keys.get(name);
    if (known !== undefined) return known;
    const key = entityKey(name);
    this.keys.set(name, key);
    return key;
  }

  private tallyOf(section: number, key: string): Tally {
    const tallies = this.sections.get(section) ?? new Map<string, Tally>();
    this.sections.set(section, tallies);
    const tally = tallies.get(key) ?? { key, spellings: new Map<string, number>(), isDefined: false };
    tallies.set(key, tally);
    return tally;
  }
}

function compareMentions(a: FoundMention, b: FoundMention): number {
  if (a.isDefined !== b.isDefined) return a.isDefined ? -1 : 1;
  if (a.count !== b.count) return b.count - a.count;
  return a.name < b.name ? -1 : 1;
}
