import { Injectable } from '@nestjs/common';
import type { Call } from '../call.js';
import { InvalidArgumentError } from '../errors.js';
import { SectionIndex } from '../kb/section-index.port.js';
import { clipText } from '../text/clip-text.js';
import { renderPrompt } from './render-prompt.js';
import type { Arguments, PromptMessage } from './render-prompt.js';

/** A prompt with its templates filled. */
export interface FilledPrompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** Fills the prompts that come with the documents. */
@Injectable()
export class PromptsService {
  constructor(private readonly index: SectionIndex) {}

  /** @throws InvalidArgumentError for an unknown prompt or wrong arguments; BackendUnavailableError */
  async fill(call: Call, name: string, given: Arguments): Promise<FilledPrompt> {
    const { prompts } = await this.index.corpus(call.scope);
    const prompt = prompts.find((each) => each.name === name);
    if (!prompt) {
      throw new InvalidArgumentError(`There is no prompt '${clipText(name, 80)}'.`, {
        reason: 'prompt_not_found',
        hint: 'Call prompts/list for those that there are.',
      });
    }
    const { description } = prompt;
    return { ...(description === null ? {} : { description }), messages: renderPrompt(prompt, given) };
  }
}
