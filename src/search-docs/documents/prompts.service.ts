import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { factsWithin } from '../../core/corpus-facts.js';
import { SectionIndex } from '../../core/ports/section-index.port.js';
import { unknownPrompt } from '../../mcp/corpus-lists.js';
import { adaptAdvice, spellToolNames } from '../../mcp/surface/adapt-text.js';
import { Surface } from '../../mcp/surface/surface.js';
import { type Arguments, type PromptMessage, renderPrompt } from './render-prompt.js';

export interface FilledPrompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

@Injectable()
export class PromptsService {
  constructor(
    private readonly index: SectionIndex,
    private readonly surface: Surface,
  ) {}

  /** @throws InvalidArgumentError for an unknown prompt or wrong arguments; BackendUnavailableError */
  async fill(call: Call, name: string, given: Arguments): Promise<FilledPrompt> {
    const { prompts } = factsWithin(await this.index.corpus(call.scope), call.caller.scopeLimit, call.scope);
    const prompt = prompts.find((each) => each.name === name);
    if (!prompt) throw unknownPrompt(name);
    const { surface } = this;
    const { description } = prompt;
    // Tool names are replaced before the template is filled, so the caller's arguments are not changed.
    const messages = prompt.messages.map(({ role, template }) => ({
      role,
      template: spellToolNames(template, surface, call.caller.host),
    }));
    return {
      ...(description === null ? {} : { description: adaptAdvice(description, surface, call.caller) }),
      messages: renderPrompt({ ...prompt, messages }, given),
    };
  }
}
