import { setImmediate } from 'node:timers/promises';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Response } from 'express';
import { REPLAYED } from '../../transport/client-instructions.js';
import type { Exchanges, Sender } from './exchanges.js';
import type { Opening } from './session-ids.js';

/** Proxies must not hold events back. */
const STREAM = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Id of the `initialize` that is replayed. It is answered before another message is delivered. */
const REPLAY = 'initialize';

interface ExchangeParts {
  readonly sender: Sender;
  /** Capabilities and name that the client sent with `initialize`; null without a session. */
  readonly opening: Opening | null;
  readonly response: Response;
  readonly exchanges: Exchanges;
  /** The messages of the body; more than one for a batch. */
  readonly messages: readonly JSONRPCMessage[];
  readonly isBatch: boolean;
  /** Called with the answer to a request before it is sent. */
  readonly onAnswer: (request: JSONRPCRequest, answer: JSONRPCMessage) => void;
  /** Called with messages of a batch that are for other exchanges. */
  readonly onNote: (message: JSONRPCMessage) => void;
}

/**
 * One POST of a client of 2025 and its response: JSON, or a stream of events if the server sends something before the
 * answer.
 */
export class Exchange implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly sessionId?: string;
  private readonly open = new Map<RequestId, JSONRPCRequest>();
  private readonly answers: JSONRPCMessage[] = [];
  private readonly ended: (() => void)[] = [];
  private isStream = false;
  /** True when the response was ended: nothing may be written after it. */
  private isFinished = false;
  private isOver = false;
  /** Called when the replayed `initialize` is answered; null if there is none. */
  private onIntroduced: (() => void) | null = null;

  constructor(private readonly parts: ExchangeParts) {
    const { session } = parts.sender;
    if (session !== null) this.sessionId = session;
    // A connection that breaks is noticed by its close.
    parts.response.on('error', () => undefined);
  }

  async start(): Promise<void> {
    // Messages are delivered by `run`.
  }

  /** Delivers the messages to the server that is connected, one in each turn of the event loop. */
  async run(): Promise<void> {
    const { messages, exchanges, sender, opening } = this.parts;
    for (const request of messages.filter(isJSONRPCRequest)) {
      this.open.set(request.id, request);
      this.ended.push(exchanges.begin(sender, request.id, this.receive));
    }
    if (opening) await this.introduce(opening);
    if (this.isOver) return;
    for (const [i, message] of messages.entries()) {
      if (i > 0) await setImmediate();
      if (isJSONRPCRequest(message)) this.onmessage?.(message);
      else if (this.isOwnCancellation(message)) this.receive(message);
      else this.parts.onNote(message);
    }
  }

  /** Delivers the `initialize` of the session, because each request has a server of its own. */
  private introduce({ capabilities, client: clientInfo }: Opening): Promise<void> {
    const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, clientInfo };
    return new Promise((resolve) => {
      this.onIntroduced = resolve;
      this.onmessage?.({ jsonrpc: '2.0', id: REPLAY, method: 'initialize', params }, REPLAYED);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.onIntroduced && !('method' in message)) return this.endIntroduction();
    if (this.isOver || this.isFinished) return;
    if (!('method' in message)) return this.answer(message);
    // A client that does not read fast enough misses some of the progress.
    if (message.method === 'notifications/progress' && this.parts.response.writableNeedDrain) return;
    this.write(this.asSent(message));
  }

  async close(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    this.endIntroduction();
    for (const end of this.ended) end();
    this.parts.exchanges.forget(this.receive);
    if (!this.parts.response.writableEnded) this.parts.response.end();
    this.onclose?.();
  }

  private endIntroduction(): void {
    this.onIntroduced?.();
    this.onIntroduced = null;
  }

  /** Questions have an id that nobody can guess, also where they are withdrawn. */
  private asSent(message: JSONRPCMessage): JSONRPCMessage {
    const { exchanges, sender } = this.parts;
    if (isJSONRPCRequest(message))
      return { ...message, id: exchanges.ask({ ...sender, id: message.id, receive: this.receive }) };
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return message;
    const requestId = exchanges.withdraw(this.receive, Object(message.params)['requestId']);
    return requestId === null ? message : { ...message, params: { ...message.params, requestId } };
  }

  private isOwnCancellation(message: JSONRPCMessage): boolean {
    return (
      isJSONRPCNotification(message) &&
      message.method === 'notifications/cancelled' &&
      this.open.has(Object(message.params)['requestId'])
    );
  }

  private readonly receive = (message: JSONRPCMessage): void => {
    this.onmessage?.(message);
    if (isJSONRPCNotification(message)) this.drop(message);
  };

  /** A cancelled request is not answered, so its response ends here. */
  private drop({ params }: JSONRPCNotification): void {
    this.open.delete(Object(params)['requestId']);
    if (this.open.size > 0 || this.isFinished) return;
    if (!this.isStream && this.answers.length === 0) this.parts.response.writeHead(200, STREAM);
    this.isStream ||= this.answers.length === 0;
    this.finish();
  }

  private answer(message: JSONRPCMessage): void {
    const id = 'id' in message ? message.id : undefined;
    const request = id === undefined ? undefined : this.open.get(id);
    if (!request) return;
    this.open.delete(request.id);
    this.parts.onAnswer(request, message);
    if (this.isStream) this.write(message);
    else this.answers.push(message);
    if (this.open.size === 0) this.finish();
  }

  private write(message: JSONRPCMessage): void {
    const { response } = this.parts;
    if (!this.isStream) {
      this.isStream = true;
      response.writeHead(200, STREAM);
      for (const answer of this.answers.splice(0)) this.write(answer);
    }
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  private finish(): void {
    const { response, isBatch } = this.parts;
    this.isFinished = true;
    if (this.isStream) response.end();
    else response.status(200).json(isBatch ? this.answers : this.answers[0]);
  }
}
