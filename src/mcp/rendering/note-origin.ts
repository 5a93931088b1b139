import type { Call, TextCaution } from '../../core/call.js';
import type { DocumentFacts } from '../../core/section.js';

/** The facts about a text that decide how it is shown. */
interface Origin extends Pick<DocumentFacts, 'caution'> {
  readonly repository: string | null;
}

/**
 * Records if the text of a document has to be fenced, or has lost invisible characters. Renderers find it by these ids.
 * @param ids  of the section, passage or document; the first is named
 */
export function noteOrigin(
  { trace }: Pick<Call, 'trace'>,
  { repository, caution }: Origin,
  ids: readonly string[],
): void {
  const untrusted = repository !== null && trace.untrusted.has(repository) ? repository : null;
  const changed = caution && caution.removed > 0 ? (ids[0] ?? null) : null;
  if (untrusted === null && changed === null) return;
  for (const id of ids) trace.cautions.set(id, { untrusted, changed });
}

/** The caution about a section, passage or document. A section that is not known by its id is known by its path. */
export function cautionAbout({ trace }: Pick<Call, 'trace'>, id: string): TextCaution | undefined {
  const { cautions } = trace;
  const at = id.lastIndexOf('#');
  return cautions.get(id) ?? (at > 0 ? cautions.get(id.slice(0, at)) : undefined);
}
