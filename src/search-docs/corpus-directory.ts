import { createHash } from 'node:crypto';
import { type CorpusFacts, factsWithin } from '../core/corpus-facts.js';
import { foreignCursor } from '../core/cursor.js';
import { nullIfLost } from '../core/errors.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import type { Scope, ScopeLimit } from '../core/scope.js';
import type { DocumentFacts } from '../core/section.js';
import { skillFile } from '../kb/skill-text.js';
import type { CorpusLists, ListedResource, ListedResources } from '../mcp/corpus-lists.js';
import type { AnyTool } from '../mcp/define-tool.js';
import type { SkillFile } from '../mcp/surface/skills.js';
import { documentUri, pathOfUri } from './documents/document-uri.js';

const PAGE = 100;
const MAX_CURSOR = 8_192;
const MARK = 'after:';
/** Limits of callers whose last facts are kept. A server has about as many as the access file has principals. */
const MAX_LIMITS = 1_000;

function toListed({ path, title, updatedAt }: DocumentFacts, bytes: number | undefined): ListedResource {
  return {
    uri: documentUri(path),
    name: path,
    title,
    mimeType: 'text/markdown',
    ...(bytes === undefined ? {} : { size: bytes }),
    annotations: { audience: ['user', 'assistant'], lastModified: updatedAt },
  };
}

// Not signed: it names a document that the caller may see anyway.
const encodeAfter = (path: string): string => Buffer.from(MARK + path).toString('base64url');

function decodeAfter(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursor.length <= MAX_CURSOR && text.startsWith(MARK) && encodeAfter(text.slice(MARK.length)) === cursor)
    return text.slice(MARK.length);
  throw foreignCursor();
}

/** The value, or `late` after the timeout. */
function within<T>(waitMs: number, value: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), waitMs).unref();
  });
  return Promise.race([value, timeout]).finally(() => clearTimeout(timer));
}

const keyOf = (limit: ScopeLimit): string => JSON.stringify(limit);

/** Answers lists from the index. Hosts request lists first, so they must not fail if there is no index. */
export class CorpusDirectory implements CorpusLists {
  /** The last facts by limit. */
  private readonly last = new Map<string, CorpusFacts>();

  /** @param scope  returns the scope of lists for callers with a limit */
  constructor(
    private readonly index: SectionIndex,
    readonly scope: (limit: ScopeLimit) => Promise<Scope>,
    private readonly waitMs: number,
  ) {}

  facts(limit: ScopeLimit): Promise<CorpusFacts | null> {
    return within(this.waitMs, this.ask(limit), () => this.last.get(keyOf(limit)) ?? null);
  }

  async resources(cursor: string | undefined, limit: ScopeLimit): Promise<ListedResources> {
    const after = cursor === undefined ? null : decodeAfter(cursor);
    const asking = async () => this.index.resources(await this.scope(limit), after, PAGE + 1);
    const { documents = [], textBytes } = (await asking().catch(nullIfLost)) ?? {};
    const shown = documents.slice(0, PAGE);
    const last = shown.at(-1);
    return {
      resources: shown.map((document, i) => toListed(document, textBytes?.[i])),
      ...(last && documents.length > PAGE ? { nextCursor: encodeAfter(last.path) } : {}),
    };
  }

  async readState(uri: string, limit: ScopeLimit): Promise<string | null> {
    const path = pathOfUri(uri);
    const found = path === null ? null : await this.index.resource(await this.scope(limit), path);
    if (!found) return null;
    const read = found.sections.map(({ section: { id, level, headingPath, text } }) => [
      ...[id, level, headingPath, text],
    ]);
    return createHash('sha256').update(JSON.stringify(read)).digest('base64');
  }

  async pathsFrom(start: string, most: number, limit: ScopeLimit): Promise<readonly string[]> {
    // In the order of paths, those that begin with a text follow it directly.
    const asking = async () => this.index.resources(await this.scope(limit), start || null, most);
    const documents = (await asking().catch(nullIfLost))?.documents ?? [];
    return documents.map(({ path }) => path).filter((path) => path.startsWith(start));
  }

  async offersDocuments(limit: ScopeLimit): Promise<boolean> {
    const asking = this.resources(undefined, limit).then(({ resources }) => resources.length > 0);
    return within(this.waitMs, asking, () => false);
  }

  skill(about: string | null, tools: readonly AnyTool[]): SkillFile | null {
    return skillFile(about, tools);
  }

  private async ask(limit: ScopeLimit): Promise<CorpusFacts | null> {
    const asking = async () => {
      const scope = await this.scope(limit);
      return factsWithin(await this.index.corpus(scope), limit, scope);
    };
    // Tools report a broken index when they are called. A list without tools would report nothing.
    const facts = await asking().catch(() => null);
    this.note(limit, facts);
    return facts;
  }

  private note(limit: ScopeLimit, facts: CorpusFacts | null): void {
    const key = keyOf(limit);
    this.last.delete(key);
    if (this.last.size >= MAX_LIMITS) this.last.clear();
    if (facts) this.last.set(key, facts);
  }
}
