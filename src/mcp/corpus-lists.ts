import type { CorpusFacts, CorpusPrompt } from '../core/corpus-facts.js';
import { InvalidArgumentError } from '../core/errors.js';
import type { Scope, ScopeLimit } from '../core/scope.js';
import { clipText } from '../text/span.js';
import type { AnyTool } from './define-tool.js';
import type { SkillFile } from './surface/skills.js';

/** The one name under which mcp-nest registers all prompts; their own names are known only when the corpus is read. */
export const CORPUS_PROMPT = 'corpus';

export function unknownPrompt(name: string): InvalidArgumentError {
  return new InvalidArgumentError(`There is no prompt '${clipText(name, 80)}'.`, {
    reason: 'prompt_not_found',
    hint: 'Call prompts/list for the available prompts.',
  });
}

/** A document as resources/list shows it. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: 'text/markdown';
  /** UTF-8 bytes of its text, without headings; absent if the engine does not know them. */
  readonly size?: number;
  readonly annotations: {
    readonly audience: readonly ['user', 'assistant'];
    readonly lastModified: string;
  };
}

export interface ListedResources {
  readonly resources: readonly ListedResource[];
  readonly nextCursor?: string;
}

/**
 * Lists of the corpus within the scope of the server and the limit of a caller. The injected value is null if they are
 * switched off.
 */
export abstract class CorpusLists {
  /** The facts; after a short wait, the last known ones. Null if the index can't be read. */
  abstract facts(limit: ScopeLimit): Promise<CorpusFacts | null>;
  /** The scope of lists. @throws BackendUnavailableError */
  abstract scope(limit: ScopeLimit): Promise<Scope>;
  /** Documents offered as resources; none without an index. @throws InvalidArgumentError `cursor_invalid` */
  abstract resources(cursor: string | undefined, limit: ScopeLimit): Promise<ListedResources>;
  /** Another text whenever a document has changed; null if the URI names none that the caller can read. @throws BackendUnavailableError */
  abstract readState(uri: string, limit: ScopeLimit): Promise<string | null>;
  /** Paths of documents that are offered as resources and begin with a text, sorted; empty without an index. @param most  their largest number */
  abstract pathsFrom(start: string, most: number, limit: ScopeLimit): Promise<readonly string[]>;
  /** What agents should know to ask about the documents. @param about  null if that may not be named @param tools  those that the reader can call */
  abstract skill(about: string | null, tools: readonly AnyTool[]): SkillFile | null;
  /** True if documents are offered, as far as this is known after a short wait. */
  abstract offersDocuments(limit: ScopeLimit): Promise<boolean>;
}

const descriptionField = (description: string | null) => (description === null ? {} : { description });

/** A prompt as prompts/list shows it: without its messages. */
export function listedPrompt({ name, title, description, arguments: args }: CorpusPrompt) {
  return {
    name,
    ...(title === null ? {} : { title }),
    ...descriptionField(description),
    arguments: args.map(({ name, description, isRequired }) => ({
      name,
      ...descriptionField(description),
      required: isRequired,
    })),
  };
}

export function listedPrompts(corpus: CorpusFacts | null): ReturnType<typeof listedPrompt>[] {
  return (corpus?.prompts ?? []).map(listedPrompt);
}
