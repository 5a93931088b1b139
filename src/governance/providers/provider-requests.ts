import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ElicitRequest, ElicitResult, ListRootsResult } from '@modelcontextprotocol/client';
import type { Call } from '../../core/call.js';
import type { InputRequestedEvent } from '../../core/ledger/ledger-event.js';
import type { AskHost } from '../../mcp/host-requests.js';
import { seenText } from '../../text/show-unseen.js';
import { ledgerFactsOf } from '../ledger/completed-event.js';
import type { ProviderConfig } from './provider-file.js';

/** Longest message to a user (characters). */
const MAX_MESSAGE = 2_000;
/** Longest form, and longest answer, as JSON (characters). */
const MAX_FORM = 16_384;

/** A call that a provider is answering, and its host. */
export interface CallUnderWay {
  readonly call: Call;
  readonly tool: string;
  /** Null if the host can't be asked. */
  readonly askHost: AskHost | null;
  /** Records a question in the run ledger. */
  readonly record: (event: InputRequestedEvent) => void;
}

/** A request of a provider that is not answered. The message is for the provider. */
export class ProviderRequestRefused extends Error {}

/** Answers the requests of one provider that the governance file allows. */
export class ProviderRequests {
  private readonly underWay = new Set<CallUnderWay>();

  constructor(private readonly config: Pick<ProviderConfig, 'name' | 'allow' | 'roots'>) {}

  get allowed(): ProviderConfig['allow'] {
    return this.config.allow;
  }

  /** Runs a call. Questions that the provider asks meanwhile may go to its host. */
  async during<T>(one: CallUnderWay, run: () => Promise<T>): Promise<T> {
    this.underWay.add(one);
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
   * Puts a question of the provider to the host of the only call under way. With several calls, nobody knows whose
   * question it is.
   * @throws ProviderRequestRefused
   */
  async elicit(params: ElicitRequest['params'], signal: AbortSignal): Promise<ElicitResult> {
    const [one, ...others] = this.underWay;
    if (!one) throw new ProviderRequestRefused('Questions are answered only during a call.');
    if (others.length > 0)
      throw new ProviderRequestRefused(
        'Questions are answered only during a single call; several are under way.',
      );
    try {
      const result = await this.askHost(one, params, signal);
      this.note(one, result.action);
      return result;
    } catch (error) {
      this.note(one, error instanceof ProviderRequestRefused ? 'refused' : 'failed');
      if (error instanceof ProviderRequestRefused) throw error;
      throw new ProviderRequestRefused('The host of the caller did not answer.', { cause: error });
    }
  }

  private async askHost(
    { call, askHost }: CallUnderWay,
    params: ElicitRequest['params'],
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    if (params.mode === 'url') throw new ProviderRequestRefused('Only questions with a form are allowed.');
    if (!askHost)
      throw new ProviderRequestRefused('The host of the caller takes no questions during a call.');
    const { message, requestedSchema } = params;
    if (message.length > MAX_MESSAGE || JSON.stringify(requestedSchema).length > MAX_FORM)
      throw new ProviderRequestRefused('The question is too long.');
    const form = {
      message: seenText(`${this.config.name}, an external server, asks:\n${message}`),
      requestedSchema,
    };
    const { action, content } = await askHost(form, AbortSignal.any([signal, call.signal]));
    if (JSON.stringify(content ?? {}).length > MAX_FORM)
      throw new ProviderRequestRefused('The answer of the user is too long.');
    return { action, ...(action === 'accept' && content ? { content } : {}) };
  }

  private note({ call, tool, record }: CallUnderWay, answer: InputRequestedEvent['answer']): void {
    record({
      ...ledgerFactsOf(call, tool),
      type: 'tool.call.input_requested',
      provider: this.config.name,
      answer,
    });
  }
}
