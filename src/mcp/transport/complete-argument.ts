import { z } from 'zod';
import type { Caller } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { type CorpusLists, unknownPrompt } from '../corpus-lists.js';
import { invalidInput } from '../invalid-input.js';
import type { ShownCorpus } from './shown-corpus.js';

/** The protocol's limit. */
const MAX_VALUES = 100;
const MAX_CHARS = 1_000;

const requestSchema = z.object({
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('ref/prompt'), name: z.string().max(256) }),
    z.object({ type: z.literal('ref/resource'), uri: z.string().max(2_048) }),
  ]),
  argument: z.object({ name: z.string().max(256), value: z.string().max(MAX_CHARS) }),
});

/** Suggestions for the value of an argument. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore: boolean;
}

const NOTHING: Completion = { values: [], total: 0, hasMore: false };

/** The values that begin with what was typed, then those that contain it, without regard to case; order is kept. */
export function valuesLike(values: readonly string[], typed: string): Completion {
  const wanted = typed.toLowerCase();
  const short = values.filter((value) => value.length <= MAX_CHARS);
  const at = (value: string): number => value.toLowerCase().indexOf(wanted);
  const found = [...short.filter((value) => at(value) === 0), ...short.filter((value) => at(value) > 0)];
  return {
    values: found.slice(0, MAX_VALUES),
    total: found.length,
    hasMore: found.length > MAX_VALUES,
  };
}

interface Parts {
  readonly caller: Caller;
  /** Null when the corpus tools are turned off. */
  readonly corpus: CorpusLists | null;
  readonly shown: ShownCorpus;
  /** Prefixes of the templates whose arguments have no suggestions. */
  readonly others: readonly string[];
}

type Argument = z.infer<typeof requestSchema>['argument'];

/** An argument of a prompt is completed if a metadata key of the documents has its name. */
async function ofPrompt(name: string, { name: key, value }: Argument, { caller, corpus, shown }: Parts) {
  const facts = (await shown.showsDocuments(caller)) ? await corpus?.facts(caller.scopeLimit) : null;
  const prompt = facts?.prompts.find((each) => each.name === name);
  if (!facts || !prompt) throw unknownPrompt(name);
  const isKnown = prompt.arguments.some((each) => each.name === key);
  const values = facts.taxonomy.find((each) => each.key === key)?.values ?? [];
  return isKnown ? valuesLike(values, value) : NOTHING;
}

async function ofTemplate(uri: string, { name, value }: Argument, { caller, corpus, shown, others }: Parts) {
  const hidden = await shown.hiddenTemplates(caller);
  const start = ['docs:///{', ...others].find((each) => uri.startsWith(each));
  if (start === undefined || hidden.some((each) => uri.startsWith(each)))
    throw new InvalidArgumentError('Resource template not found.', {
      reason: 'resource_not_found',
      hint: 'Use a template from resources/templates/list.',
    });
  if (!start.startsWith('docs:') || name !== 'path' || !corpus) return NOTHING;
  const paths = await corpus.pathsFrom(value, MAX_VALUES + 1, caller.scopeLimit);
  return { values: paths.slice(0, MAX_VALUES), hasMore: paths.length > MAX_VALUES };
}

/**
 * Suggests values for an argument of a prompt or of a resource template, from what the caller may see.
 * @throws InvalidArgumentError for an unknown prompt or template
 */
export async function completeArgument(params: unknown, parts: Parts): Promise<object> {
  const request = requestSchema.safeParse(params);
  if (!request.success) throw invalidInput(request.error, { schema: requestSchema, value: params });
  const { ref, argument } = request.data;
  const completion: Completion =
    ref.type === 'ref/prompt'
      ? await ofPrompt(ref.name, argument, parts)
      : await ofTemplate(ref.uri, argument, parts);
  return { completion };
}
