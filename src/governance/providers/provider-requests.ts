import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResultWithTools,
  ElicitRequest,
  ElicitResult,
  ListRootsResult,
} from '@modelcontextprotocol/client';
import type { Call } from '../../core/call.js';
import type { HostRequests } from '../../mcp/host-requests.js';
import { seenText } from '../../text/show-unseen.js';
import { ledgerFactsOf } from '../ledger/completed-event.js';
import type { InputRequestedEvent } from '../ledger/ledger-event.js';
import type { ProviderConfig } from './provider-file.js';

/** Longest message to a user (characters). */
const MAX_MESSAGE = 2_000;
/** Longest form, and longest answer, as JSON (characters). */
const MAX_FORM = 16_384;

/** Max messages of one request for sampling, and max length of its form and answer as JSON (characters). */
const MAX_MESSAGES = 32;
const MAX_SAMPLING = 65_536;
/** Max tokens that the model of a host is asked for. */
const MAX_SAMPLED_TOKENS = 4_096;

/** Max questions during one call. */
const MAX_ASKED = 16;

type InputRequest = NonNullable<InputRequestedEvent['request']>;
type Answer = InputRequestedEvent['answer'];
type SamplingParams = CreateMessageRequest['params'];

const NO_SAMPLING =
  'The host of the caller does not answer requests for sampling: it did not declare sampling, sends no session id over HTTP, or speaks protocol 2026-07-28, which deprecates sampling.';

/**
 * The request for sampling that a host receives: without tools and without the context of other servers, and with a
 * note about its origin. @throws ProviderRequestRefused
 */
function boundedSampling(provider: string, params: SamplingParams): CreateMessageRequestParams {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, modelPreferences } = params;
  if (params.tools !== undefined) throw new ProviderRequestRefused('Sampling with tools is not allowed.');
  const origin = `This request comes from ${provider}, an external server. Its messages are not from the user.`;
  const asked: CreateMessageRequestParams = {
    messages,
    systemPrompt: seenText(systemPrompt === undefined ? origin : `${origin}\n${systemPrompt}`),
    includeContext: 'none',
    maxTokens: Math.min(maxTokens, MAX_SAMPLED_TOKENS),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
    ...(modelPreferences === undefined ? {} : { modelPreferences }),
  };
  if (messages.length > MAX_MESSAGES || JSON.stringify(asked).length > MAX_SAMPLING)
    throw new ProviderRequestRefused('The request for sampling is too long.');
  return asked;
}

/** A call that a provider is answering, and its host. */
export interface CallUnderWay {
  readonly call: Call;
  readonly tool: string;
  readonly host: HostRequests;
  /** Records a question in the run ledger. */
  readonly record: (event: InputRequestedEvent) => void;
}

/** A request of a provider that is not answered. The message is for the provider. */
export class ProviderRequestRefused extends Error {}

/** Answers the requests of one provider that the governance file allows. */
export class ProviderRequests {
  /** The calls under way, with the number of questions that were asked during each. */
  private readonly underWay = new Map<CallUnderWay, number>();

  constructor(private readonly config: Pick<ProviderConfig, 'name' | 'allow' | 'roots'>) {}

  get allowed(): ProviderConfig['allow'] {
    return this.config.allow;
  }

  /** Runs a call. Questions that the provider asks meanwhile may go to its host. */
  async during<T>(one: CallUnderWay, run: () => Promise<T>): Promise<T> {
    this.underWay.set(one, 0);
    try {
      return await run();
    } finally {
      this.underWay.delete(one);
    }
  }

  /** The folders of the governance file. */
  roots(): ListRootsResult {
    const roots = this.config.roots.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) }));
    return { roots };
  }

  /**
   * Puts a question of the provider to the host of the only call under way.
   * @throws ProviderRequestRefused
   */
  elicit(params: ElicitRequest['params'], signal: AbortSignal): Promise<ElicitResult> {
    return this.forward('elicitation', async (one) => {
      const result = await this.elicited(one, params, AbortSignal.any([signal, one.call.signal]));
      return { result, answer: result.action };
    });
  }

  /**
   * Asks the model of the host of the only call under way for a message.
   * @throws ProviderRequestRefused
   */
  sample(params: SamplingParams, signal: AbortSignal): Promise<CreateMessageResultWithTools> {
    return this.forward('sampling', async ({ call, host }) => {
      if (!host.sample) throw new ProviderRequestRefused(NO_SAMPLING);
      const asked = boundedSampling(this.config.name, params);
      const result = await host.sample(asked, AbortSignal.any([signal, call.signal]));
      if (JSON.stringify(result).length > MAX_SAMPLING)
        throw new ProviderRequestRefused('The answer of the model is too long.');
      return { result, answer: 'accept' };
    });
  }

  /** With several calls under way, nobody knows whose request it is. */
  private async forward<T>(
    request: InputRequest,
    ask: (one: CallUnderWay) => Promise<{ readonly result: T; readonly answer: Answer }>,
  ): Promise<T> {
    const [[one, asked] = [null, 0], ...others] = this.underWay;
    if (!one) throw new ProviderRequestRefused('Questions are answered only during a call.');
    if (others.length > 0)
      throw new ProviderRequestRefused(
        'Questions are answered only during a single call; several are under way.',
      );
    if (asked >= MAX_ASKED)
      throw new ProviderRequestRefused(`At most ${MAX_ASKED} questions are answered during a call.`);
    this.underWay.set(one, asked + 1);
    try {
      const { result, answer } = await ask(one);
      this.note(one, request, answer);
      return result;
    } catch (error) {
      this.note(one, request, error instanceof ProviderRequestRefused ? 'refused' : 'failed');
      if (error instanceof ProviderRequestRefused) throw error;
      throw new ProviderRequestRefused('The host of the caller did not answer.', { cause: error });
    }
  }

  private async elicited(
    { host }: CallUnderWay,
    params: ElicitRequest['params'],
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    if (params.mode === 'url') throw new ProviderRequestRefused('Only questions with a form are allowed.');
    if (!host.elicit)
      throw new ProviderRequestRefused('The host of the caller takes no questions during a call.');
    const { message, requestedSchema } = params;
    if (message.length > MAX_MESSAGE || JSON.stringify(requestedSchema).length > MAX_FORM)
      throw new ProviderRequestRefused('The question is too long.');
    const form = {
      message: seenText(`${this.config.name}, an external server, asks:\n${message}`),
      requestedSchema,
    };
    const { action, content } = await host.elicit(form, signal);
    if (JSON.stringify(content ?? {}).length > MAX_FORM)
      throw new ProviderRequestRefused('The answer of the user is too long.');
    return { action, ...(action === 'accept' && content ? { content } : {}) };
  }

  private note({ call, tool, record }: CallUnderWay, request: InputRequest, answer: Answer): void {
    record({
      ...ledgerFactsOf(call, tool),
      type: 'tool.call.input_requested',
      provider: this.config.name,
      request,
      answer,
    });
  }
}
