import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { hasBatches, readMessage, refusal } from './read-message.js';

const NEWLINE = 0x0a;

/** Splits a stream of bytes into lines. Lines that are too long are discarded. */
export class LineReader {
  private parts: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  /** The lines that end in these bytes, without the newline; null for one that was too long. */
  push(chunk: Buffer): (Buffer | null)[] {
    const lines: (Buffer | null)[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.keep(chunk.subarray(from, at));
      lines.push(this.take());
      from = at + 1;
    }
    this.keep(chunk.subarray(from));
    return lines;
  }

  private keep(bytes: Buffer): void {
    this.size += bytes.length;
    if (this.size > this.maxBytes) this.parts = [];
    else if (bytes.length > 0) this.parts.push(bytes);
  }

  private take(): Buffer | null {
    const line = this.size > this.maxBytes ? null : Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    return line;
  }
}

interface Batch {
  readonly ids: readonly RequestId[];
  readonly replies: Map<RequestId, JSONRPCMessage>;
}

/** Collects the replies of each batch, which are sent together. */
class BatchReplies {
  private readonly open = new Map<RequestId, Batch>();

  begin(ids: readonly RequestId[]): void {
    const batch = { ids: [...new Set(ids)], replies: new Map() };
    for (const id of ids) this.open.set(id, batch);
  }

  /** Returns what to send now: the message itself, the batch that it completes, or null while replies are missing. */
  collect(message: JSONRPCMessage): JSONRPCMessage | readonly JSONRPCMessage[] | null {
    const id = 'method' in message ? undefined : message.id;
    const batch = id === undefined ? undefined : this.open.get(id);
    if (id === undefined || !batch) return message;
    this.open.delete(id);
    batch.replies.set(id, message);
    return batch.replies.size < batch.ids.length
      ? null
      : batch.ids.flatMap((each) => batch.replies.get(each) ?? []);
  }
}

const MAX_LINE_MIB = 10;

const TOO_LONG = refusal(
  ProtocolErrorCode.InvalidRequest,
  `Invalid request: the message is longer than ${MAX_LINE_MIB} MiB.`,
);

const isBlank = (line: Buffer): boolean =>
  line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

/** Unlike the SDK's transport, this one answers lines that are not messages, and continues after a too long one. */
export class StdioWire implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  private readonly lines = new LineReader(MAX_LINE_MIB * 1_048_576);
  private readonly batches = new BatchReplies();
  private version: string | undefined;
  private isClosed = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.read);
    this.input.on('end', this.end).on('close', this.end).on('error', this.fail);
    this.output.on('error', this.fail);
  }

  setProtocolVersion(version: string): void {
    this.version = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const sent = this.batches.collect(message);
    if (sent !== null) await this.write(sent);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.input.off('data', this.read);
    this.onclose?.();
  }

  private readonly end = (): void => void this.close();

  private readonly fail = (error: Error): void => {
    if (this.isClosed) return;
    this.onerror?.(error);
    void this.close();
  };

  private readonly read = (chunk: Buffer): void => {
    for (const line of this.lines.push(chunk)) {
      if (line === null) this.refuse(TOO_LONG);
      else if (!isBlank(line)) this.take(line);
    }
  };

  private take(line: Buffer): void {
    const read = readMessage(line, hasBatches(this.version));
    if ('refusal' in read) return this.refuse(read.refusal);
    const { messages, isBatch } = read;
    if (isBatch) this.batches.begin(messages.filter(isJSONRPCRequest).map(({ id }) => id));
    for (const message of messages) this.onmessage?.(message);
  }

  private refuse(reply: object): void {
    this.write(reply).catch((error: Error) => this.fail(error));
  }

  private write(message: object): Promise<void> {
    if (this.isClosed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}
