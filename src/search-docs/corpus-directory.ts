import type { CorpusFacts } from '../core/corpus-facts.js';
import { foreignCursor } from '../core/cursor.js';
import { nullIfLost } from '../core/errors.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import type { Scope } from '../core/scope.js';
import type { DocumentFacts } from '../core/section.js';
import type { CorpusLists, ListedResource, ListedResources } from '../mcp/corpus-lists.js';
import { documentUri } from './documents/document-uri.js';

const PAGE = 100;
const MAX_CURSOR = 8_192;
const MARK = 'after:';

function toListed({ path, title, updatedAt }: DocumentFacts): ListedResource {
  return {
    uri: documentUri(path),
    name: path,
    title,
    mimeType: 'text/markdown',
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

/** Answers lists from the index. Hosts request lists first, so they must not fail if there is no index. */
export class CorpusDirectory implements CorpusLists {
  private last: CorpusFacts | null = null;

  /** @param scope  returns the configured scope */
  constructor(
    private readonly index: SectionIndex,
    readonly scope: () => Promise<Scope>,
    private readonly waitMs: number,
  ) {}

  known(): CorpusFacts | null {
    return this.last;
  }

  facts(): Promise<CorpusFacts | null> {
    return within(this.waitMs, this.ask(), () => this.last);
  }

  async resources(cursor: string | undefined): Promise<ListedResources> {
    const after = cursor === undefined ? null : decodeAfter(cursor);
    const asking = async () => this.index.resources(await this.scope(), after, PAGE + 1);
    const documents = (await asking().catch(nullIfLost))?.documents ?? [];
    const shown = documents.slice(0, PAGE);
    const last = shown.at(-1);
    return {
      resources: shown.map(toListed),
      ...(last && documents.length > PAGE ? { nextCursor: encodeAfter(last.path) } : {}),
    };
  }

  async offersDocuments(): Promise<boolean> {
    const asking = this.resources(undefined).then(({ resources }) => resources.length > 0);
    return within(this.waitMs, asking, () => false);
  }

  private async ask(): Promise<CorpusFacts | null> {
    const asking = async () => this.index.corpus(await this.scope());
    // Tools report a broken index when they are called. A list without tools would report nothing.
    this.last = await asking().catch(() => null);
    return this.last;
  }
}
