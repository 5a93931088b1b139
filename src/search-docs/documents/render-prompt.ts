import { Writer } from 'mustache';
import type { CorpusPrompt } from '../../core/corpus-facts.js';
import { BackendUnavailableError, BudgetExceededError, InvalidArgumentError } from '../../core/errors.js';
import { clipText } from '../../text/span.js';

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: { readonly type: 'text'; readonly text: string };
}

const MAX_ARGUMENT = 4_000;
/** Maximum characters of all messages together. */
const MAX_RENDERED = 100_000;

function wrong(message: string, reason: string): InvalidArgumentError {
  return new InvalidArgumentError(message, {
    reason,
    hint: 'Call prompts/list for the prompts and their arguments.',
  });
}

function unreadable(name: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The template of prompt '${name}' can't be read.`, {
    reason: 'prompt_malformed',
    hint: 'The operator should correct it and index again.',
    cause,
  });
}

/** The argument given under this name, never an inherited property; empty if it was not given. */
const ownValue = (given: Arguments, name: string): string =>
  Object.hasOwn(given, name) ? (given[name] ?? '') : '';

function checkArguments({ name, arguments: known }: CorpusPrompt, given: Arguments): void {
  for (const key of Object.keys(given)) {
    if (!known.some((each) => each.name === key)) {
      throw wrong(`Prompt '${name}' has no argument '${clipText(key, 80)}'.`, 'unknown_field');
    }
    if (ownValue(given, key).length > MAX_ARGUMENT) {
      throw wrong(`Argument '${key}' is longer than ${MAX_ARGUMENT} characters.`, 'invalid_input');
    }
  }
  const steering = Object.keys(given).find((key) => /(?![\t\n\r])\p{Cc}/u.test(ownValue(given, key)));
  if (steering !== undefined)
    throw wrong(
      `Argument '${steering}' must not contain control characters other than line breaks and tabs.`,
      'invalid_input',
    );
  const missing = known.find(({ name: key, isRequired }) => isRequired && ownValue(given, key) === '');
  if (missing) throw wrong(`Prompt '${name}' needs the argument '${missing.name}'.`, 'invalid_input');
}

export type Arguments = Readonly<Record<string, string>>;

/** The declared arguments, in an object without a prototype: Mustache would call inherited methods. */
function viewOf({ arguments: known }: CorpusPrompt, given: Arguments): object {
  const view: Record<string, string> = Object.create(null);
  for (const { name } of known) view[name] = ownValue(given, name);
  return view;
}

/**
 * Fills a prompt's templates: Mustache without partials, and without HTML escaping, because a model does not need it.
 * @throws InvalidArgumentError for an unknown, missing or too long argument
 */
export function renderPrompt(prompt: CorpusPrompt, given: Arguments): PromptMessage[] {
  checkArguments(prompt, given);
  const view = viewOf(prompt, given);
  const writer = new Writer();
  let length = 0;
  return prompt.messages.map(({ role, template }) => {
    let text: string;
    try {
      text = writer.render(template, view, undefined, { escape: String });
    } catch (error) {
      throw unreadable(prompt.name, error);
    }
    length += text.length;
    if (length > MAX_RENDERED) {
      throw new BudgetExceededError('The filled prompt is too long.', {
        reason: 'response_bytes',
        hint: 'Give shorter arguments.',
      });
    }
    return { role, content: { type: 'text' as const, text } };
  });
}
