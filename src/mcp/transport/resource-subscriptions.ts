import type { McpServer } from '@modelcontextprotocol/server';
import { InvalidArgumentError } from '../../core/errors.js';
import type { BoundConnection } from '../pipeline/caller-identity.js';
import { paramText } from '../pipeline/observed-call.js';
import { unknownResource } from '../resource-requests.js';
import type { CallRunner } from './call-runner.js';
import type { HandlerHost } from './client-instructions.js';

/** Interval at which the documents are compared (ms). */
const POLL_MS = 2_000;
/** Largest number of subscriptions of a connection. */
const MAX_URIS = 100;

/** Tells one client about changes of the documents that it subscribed to. */
export class ResourceSubscriptions {
  private readonly states = new Map<string, string | null>();
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;

  /** @param readState  another text whenever the document has changed; null if it can't be read */
  constructor(
    private readonly server: Pick<McpServer['server'], 'sendResourceUpdated'>,
    private readonly readState: (uri: string) => Promise<string | null>,
  ) {}

  /** @returns false if there is no such document @throws InvalidArgumentError `too_many_subscriptions` */
  async add(uri: string): Promise<boolean> {
    const isFull = (): boolean => this.states.size >= MAX_URIS && !this.states.has(uri);
    const state = isFull() ? null : await this.readState(uri);
    // Others may have been added meanwhile.
    if (isFull())
      throw new InvalidArgumentError(`A connection has at most ${MAX_URIS} subscriptions.`, {
        reason: 'too_many_subscriptions',
        hint: 'Call resources/unsubscribe for documents that are no longer shown.',
      });
    if (state === null) return false;
    this.states.set(uri, state);
    this.timer ??= setInterval(() => void this.poll(), POLL_MS).unref();
    return true;
  }

  remove(uri: string): void {
    this.states.delete(uri);
    if (this.states.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.states.clear();
  }

  /**
   * Compares every document once, unless that is being done. A document that is gone has changed; one that can't be read
   * now has not.
   */
  async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    for (const [uri, before] of [...this.states]) {
      const state = await this.readState(uri).catch(() => before);
      if (state === before || this.states.get(uri) !== before) continue;
      this.states.set(uri, state);
      // The connection may have ended meanwhile.
      await this.server.sendResourceUpdated({ uri }).catch(() => this.stop());
    }
    this.isPolling = false;
  }
}

interface Parts {
  readonly calls: CallRunner;
  /** Another text whenever a document has changed; null if the caller can't read it. */
  readonly readState: (uri: string) => Promise<string | null>;
}

/** Answers `resources/subscribe` and `resources/unsubscribe` on a connection that lasts. */
export function bindSubscriptions(
  host: HandlerHost,
  bound: BoundConnection,
  { calls, readState }: Parts,
): void {
  const { server } = bound.server;
  const subscriptions = new ResourceSubscriptions(server, readState);
  server.registerCapabilities({ resources: { subscribe: true } });
  const answer = (method: string, change: (uri: string) => Promise<boolean>): void =>
    host.setRequestHandler(method, (request, sdkContext) => {
      const uri = paramText(request.params, 'uri');
      return calls.asCall({ ...bound, sdkContext }, { method, uri, ...request }, (call) =>
        calls.limited(call, async () => {
          if (!(await change(uri))) throw unknownResource(uri);
          return {};
        }),
      );
    });
  answer('resources/subscribe', (uri) => subscriptions.add(uri));
  answer('resources/unsubscribe', async (uri) => (subscriptions.remove(uri), true));
}
