import type { Call } from '../core/call.js';
import type { FacetCount } from '../core/ports/index-facts.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import { scopeAllows } from '../core/scope.js';
import { decodePath } from '../core/section-id.js';
import { quotedLine } from '../text/plain-line.js';
import { clipText } from '../text/span.js';
import { nearestIds } from './nearest-ids.js';

/** Values beyond this number are not compared, and then no value is called unknown. */
const MAX_FACETS = 1_000;
/** The same for documents, which are read in pages. */
const MAX_DOCUMENTS = 10_000;
const PAGE = 1_000;
/** Maximum unknown values in one message. */
const MAX_NAMED = 3;
const MAX_SHOWN_CHARS = 128;

/** The values that a request restricts its documents to. */
interface SentValues {
  readonly scope?: { readonly doc_tags?: readonly string[]; readonly repositories?: readonly string[] };
  readonly filters?: { readonly doc_tag?: readonly string[]; readonly path_prefix?: string | null };
}

const shown = (value: string): string => quotedLine(clipText(value.toWellFormed(), MAX_SHOWN_CHARS));

/** ` Nearest: "x".` for the known value that is most similar; empty without one. */
function nearestText(value: string, known: readonly string[]): string {
  const [nearest] = nearestIds(value, known, 1);
  return nearest === undefined ? '' : ` Nearest: ${shown(nearest)}.`;
}

/** A sentence for each value that no facet has. */
function unknownFacets(field: string, sent: readonly string[], facets: readonly FacetCount[]): string[] {
  const known = facets.map(({ value }) => value);
  if (known.length > MAX_FACETS) return [];
  return [...new Set(sent)]
    .filter((value) => !known.includes(value))
    .map((value) => `No document has the ${field} ${shown(value)}.${nearestText(value, known)}`);
}

interface Search {
  /** Not encoded. */
  readonly path: string;
  /** True for a path that makes further search needless. */
  readonly isFound: (path: string) => boolean;
  /** The names to compare with, from the path of a document. */
  readonly namesOf: (path: string) => readonly string[];
}

/**
 * Looks for a path among those that the caller may see, page by page, so that other calls are not held up.
 * @returns the most similar one, if any; null if a path is found or there are too many to read
 */
async function nearestVisible(
  call: Call,
  index: SectionIndex,
  { path, isFound, namesOf }: Search,
): Promise<readonly string[] | null> {
  const { callerScope: scope = call.scope, signal, trace } = call;
  const nearest: string[] = [];
  for (let offset = 0; offset < MAX_DOCUMENTS; offset += PAGE) {
    signal.throwIfAborted();
    const { documents } = await index.documents(scope, offset, PAGE);
    const visible = documents.filter((document) => scopeAllows(scope, document));
    if (visible.some((document) => isFound(document.path))) return null;
    // Paths of other repositories are not repeated as words of the server.
    const trusted = visible.filter(({ repository }) => !trace.untrusted.has(repository));
    const names = [...new Set(trusted.flatMap((document) => namesOf(document.path)))];
    nearest.push(...nearestIds(path, names, 1));
    if (documents.length < PAGE) return nearestIds(path, nearest, 1);
  }
  return null;
}

/** The visible document whose path is most similar; null if none is. */
export async function nearestPath(call: Call, index: SectionIndex, id: string): Promise<string | null> {
  const path = decodePath(id);
  const search = { path, isFound: () => false, namesOf: (known: string) => [known] };
  const [nearest = null] = (await nearestVisible(call, index, search)) ?? [];
  return nearest;
}

/** A path and the folders that it is in, each with its slash. */
function pathAndFolders(path: string): string[] {
  return [path, ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))];
}

async function unknownPrefix(call: Call, index: SectionIndex, sent: string): Promise<string[]> {
  const path = decodePath(sent);
  const isFound = (known: string): boolean => known.startsWith(path);
  const nearest = await nearestVisible(call, index, { path, isFound, namesOf: pathAndFolders });
  return nearest === null ? [] : [`No path begins with ${shown(path)}.${nearestText(path, nearest)}`];
}

/**
 * Names the values of a request that no document has which the caller may see, with the nearest one that exists, for a
 * reply that found nothing. Values outside of the scope of the caller are unknown like all others.
 * @returns sentences for a hint; empty if all values exist or none was sent
 */
export async function unknownValues(call: Call, index: SectionIndex, sent: SentValues): Promise<string> {
  const { doc_tags = [], repositories = [] } = sent.scope ?? {};
  const { doc_tag = [], path_prefix: prefix } = sent.filters ?? {};
  const tags = [...doc_tags, ...doc_tag];
  const found: string[] = [];
  if (tags.length + repositories.length > 0) {
    const facts = await index.facts(call.callerScope ?? call.scope, MAX_FACETS + 1);
    found.push(
      ...unknownFacets('doc_tag', tags, facts.docTags),
      ...unknownFacets('repository', repositories, facts.repositories),
    );
  }
  if (prefix) found.push(...(await unknownPrefix(call, index, prefix)));
  return found.slice(0, MAX_NAMED).join(' ');
}
