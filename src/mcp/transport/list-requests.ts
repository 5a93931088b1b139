import { z } from 'zod';
import type { Caller } from '../../core/call.js';
import { foreignCursor } from '../../core/cursor.js';
import { type CorpusLists, listedPrompts } from '../corpus-lists.js';
import { toProtocolError } from '../rendering/error-envelope.js';
import { adaptDescriptions } from '../surface/adapt-text.js';
import { describeTools } from '../surface/describe-tools.js';
import type { Surface } from '../surface/surface.js';
import type { ShownCorpus } from './shown-corpus.js';

const templatesSchema = z.looseObject({
  resourceTemplates: z.array(z.looseObject({ uriTemplate: z.string() })),
});

/** Templates that match nothing the caller may read are not listed. @param hidden  prefixes of those templates */
function withoutTemplates(result: object, hidden: readonly string[]): object {
  const { resourceTemplates, ...rest } = templatesSchema.parse(result);
  const isShown = (uri: string): boolean => !hidden.some((start) => uri.startsWith(start));
  return { ...rest, resourceTemplates: resourceTemplates.filter(({ uriTemplate }) => isShown(uriTemplate)) };
}

/** Writes the configured URI scheme, and RFC 6570's `{+path}`, which the library's matcher does not support. */
function withPublicTemplates(result: object, scheme: string): object {
  const json = JSON.stringify(result)
    .replaceAll('"wekadocs://', `"${scheme}://`)
    .replaceAll('{path*}', '{+path}');
  const parsed: object = JSON.parse(json);
  return parsed;
}

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

/** Refuses a cursor, for a list of one page. @throws ProtocolError */
function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  const { code, message, reason, hint } = foreignCursor();
  throw toProtocolError({ error: { code, message, details: { reason, hint } } }, undefined);
}
