import type { Call, TextCaution } from '../../core/call.js';
import type { Ref } from '../../core/ref.js';
import type { DocumentFacts } from '../../core/section.js';

/** The facts about a text that decide how it is shown, and what it was read from. */
interface Origin extends Pick<DocumentFacts, 'caution' | 'artifact'> {
  readonly repository: string | null;
}

/**
 * Records if the text of a document has to be fenced, or has lost invisible characters, and its artifact. Renderers find
 * it by these ids.
 * @param ids  of the section, passage or document; the first is named
 */
export function noteOrigin(
  { trace }: Pick<Call, 'trace'>,
  { repository, caution, artifact }: Origin,
  ids: readonly string[],
): void {
  if (artifact !== undefined) for (const id of ids) trace.artifacts.set(id, artifact);
  const untrusted = repository !== null && trace.untrusted.has(repository) ? repository : null;
  const changed = caution && caution.removed > 0 ? (ids[0] ?? null) : null;
  if (untrusted === null && changed === null) return;
  for (const id of ids) trace.cautions.set(id, { untrusted, changed });
}

/** The note for an id. A section that is not known by its id is known by its path. */
function notedFor<T>(noted: ReadonlyMap<string, T>, id: string): T | undefined {
  const at = id.lastIndexOf('#');
  return noted.get(id) ?? (at > 0 ? noted.get(id.slice(0, at)) : undefined);
}

/** The caution about a section, passage or document. */
export function cautionAbout({ trace }: Pick<Call, 'trace'>, id: string): TextCaution | undefined {
  return notedFor(trace.cautions, id);
}

/** Adds to each reference to a section, passage or document the artifact that it was read from. */
export function withArtifacts({ trace }: Pick<Call, 'trace'>, refs: readonly Ref[]): readonly Ref[] {
  const { artifacts } = trace;
  if (artifacts.size === 0) return refs;
  return refs.flatMap((ref) => {
    const artifact = notedFor(artifacts, ref.id);
    return artifact === undefined ? [ref] : [ref, { type: 'artifact', id: artifact }];
  });
}
