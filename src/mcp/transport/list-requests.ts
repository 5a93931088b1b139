import type { Caller } from '../../core/call.js';
import { type CorpusLists, listedPrompts } from '../corpus-lists.js';
import { withoutTemplates, withPublicTemplates } from '../resource-requests.js';
import { adaptDescriptions } from '../surface/adapt-text.js';
import { describeTools } from '../surface/describe-tools.js';
import type { Surface } from '../surface/surface.js';
import { refuseCursor } from './refused-requests.js';
import type { ShownCorpus } from './shown-corpus.js';

/** A request for a list. */
export interface ListRequest {
  readonly caller: Caller;
  readonly cursor: string | undefined;
  /** The answer of mcp-nest. */
  readonly ownAnswer: () => Promise<object>;
}

interface ListParts {
  readonly surface: Surface;
  /** Null when the corpus tools are turned off. */
  readonly corpus: CorpusLists | null;
  readonly shown: ShownCorpus;
}

/** Answers the list requests, by method. */
export function listAnswers({
  surface,
  corpus,
  shown,
}: ListParts): ReadonlyMap<string, (request: ListRequest) => Promise<object>> {
  return new Map([
    [
      'tools/list',
      async ({ caller, cursor }) => {
        refuseCursor(cursor);
        return { tools: describeTools(surface, caller, await shown.facts(caller)) };
      },
    ],
    [
      'resources/templates/list',
      async ({ caller, cursor, ownAnswer }) => {
        refuseCursor(cursor);
        const listed = withPublicTemplates(await ownAnswer(), surface.uriScheme);
        return withoutTemplates(listed, await shown.hiddenTemplates(caller));
      },
    ],
    [
      'prompts/list',
      async ({ caller, cursor }) => {
        refuseCursor(cursor);
        const facts = (await shown.showsDocuments(caller)) ? await corpus?.facts(caller.scopeLimit) : null;
        const prompts = listedPrompts(facts ?? null);
        return { prompts: prompts.map((prompt) => adaptDescriptions(prompt, surface, caller)) };
      },
    ],
    [
      'resources/list',
      async ({ caller, cursor, ownAnswer }) => {
        if (!corpus) refuseCursor(cursor);
        if (!(await shown.showsDocuments(caller))) return { resources: [] };
        return corpus ? corpus.resources(cursor, caller.scopeLimit) : ownAnswer();
      },
    ],
  ]);
}
