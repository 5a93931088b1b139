import { readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { writeWhole } from './source-store.js';
import type { SourceFacts } from './sync-sources.js';

const schema = z.object({
  sources: z.array(
    z.object({ name: z.string(), checked_at: z.string().nullable(), problem: z.string().nullable() }),
  ),
});

/** A source of an index, as servers describe it. */
export type NotedSource = z.output<typeof schema>['sources'][number];

/** The file with the sources of an index, beside it. */
const placeFor = (indexFile: string): string => `${indexFile}.sources.json`;

/** The sources of an index; empty if it has none. */
export function readIndexSources(indexFile: string): readonly NotedSource[] {
  try {
    return schema.parse(JSON.parse(readFileSync(placeFor(indexFile), 'utf8'))).sources;
  } catch {
    // There is none, as for an index of folders alone.
    return [];
  }
}

/** Notes the sources of an index after a run. @returns the names of those that are no longer in it */
export function noteSources(indexFile: string, facts: readonly SourceFacts[]): readonly string[] {
  const before = readIndexSources(indexFile);
  const sources = facts.map(({ name, checked_at, problem }) => ({ name, checked_at, problem }));
  if (sources.length > 0) writeWhole(placeFor(indexFile), { sources });
  else if (before.length > 0) rmSync(placeFor(indexFile), { force: true });
  return before.flatMap(({ name }) => (sources.some((each) => each.name === name) ? [] : [name]));
}
