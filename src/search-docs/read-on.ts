import type { Call } from '../core/call.js';
import type { SectionIndex, SectionNeighbours } from '../core/ports/section-index.port.js';
import { scopeAllows } from '../core/scope.js';
import type { Section } from '../core/section.js';
import { MAX_CONTEXT } from './search-docs.schemas.js';

/**
 * A section that the call may see, with its neighbours. The path of a document stands for its first section.
 * @param context  largest number of neighbours on either side, 0 to 5
 * @returns null if the id is unknown or invisible
 */
export async function findSection(
  call: Call,
  index: SectionIndex,
  { id, context = 0 }: { readonly id: string; readonly context?: number },
): Promise<SectionNeighbours | null> {
  call.signal.throwIfAborted();
  const found = await index.neighbours(call.scope, id, context);
  return found && scopeAllows(call.scope, found.document) ? found : null;
}

/** Characters of a section in a reply, at least: its text, its id, and the names of its fields. */
const replyChars = ({ id, text }: Section): number => id.length + text.length + 100;

/** Adds the sections that follow in the file, until they have more characters than a reply has bytes. */
export async function readOn(
  call: Call,
  index: SectionIndex,
  { first, replyBytes }: { readonly first: SectionNeighbours; readonly replyBytes: number },
): Promise<SectionNeighbours> {
  const sections = [...first.sections];
  let chars = 0;
  for (;;) {
    const last = sections.at(-1);
    chars += last ? replyChars(last.section) : 0;
    if (!last || last.position >= first.total || chars > replyBytes) return { ...first, sections };
    const next = await findSection(call, index, { id: last.section.id, context: MAX_CONTEXT });
    // Sections that were read before a new index was published are shown; reading on finds the new ones.
    if (next?.generation !== first.generation) return { ...first, sections };
    const following = next.sections.slice(next.target + 1);
    chars += following.slice(0, -1).reduce((sum, { section }) => sum + replyChars(section), 0);
    sections.push(...following);
  }
}
