import type { ChildProcess } from 'node:child_process';
import { Transform } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { exceededBound } from '../../../text/nesting.js';
import type { StdioChannel } from './load-sdk.js';

/** Longest message of a provider (bytes). A longer one ends the connection. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Messages of a provider that are read in a second. Further notifications are dropped; other messages wait. */
const MAX_PER_SECOND = 500;
const SECOND_MS = 1_000;
/** Messages that are passed on in one turn of the event loop, so that a provider who sends many delays no others. */
const PER_TURN = 10;

/** The starts of notifications as the libraries write them. Others are not dropped, but wait. */
const NOTIFICATIONS = ['{"method":"notifications/', '{"jsonrpc":"2.0","method":"notifications/'];
/** Where the libraries write the id of a response: first, or last. */
const ID = /^\{"jsonrpc":"2\.0","id":(\d{1,9}),"(?:result|error)"|,"id":(\d{1,9})\}\s*$/;
/** JSON-RPC code of an internal error. */
const INTERNAL_ERROR = -32_603;
const LF = 10;
/** Characters at the start of a message that show what it is. */
const HEAD = 64;

/** A message of a provider that ends the connection. */
export class MessageRefusedError extends Error {
  override readonly name = 'MessageRefusedError';

  /** @param problem  in words that follow "the message" */
  constructor(problem: string) {
    super(`the provider sent a message that ${problem}`);
  }
}

/** The bytes of a message that is being received. */
export class MessageBytes {
  private parts: Uint8Array[] = [];
  private size = 0;

  constructor(private readonly max = MAX_MESSAGE_BYTES) {}

  /** @throws MessageRefusedError */
  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.size > this.max) throw new MessageRefusedError(`has more than ${this.max} bytes`);
    if (part.length > 0) this.parts.push(part);
  }

  take(): Buffer {
    const bytes = Buffer.concat(this.parts);
    [this.parts, this.size] = [[], 0];
    return bytes;
  }
}

/** Slows down a provider that sends many messages, so that it takes no time of callers of other tools. */
export class MessageRate {
  private from = -Infinity;
  private count = 0;
  private dropped = 0;

  /** @param onDropped  called with the number of notifications that were dropped in a second */
  constructor(private readonly onDropped: (count: number) => void) {}

  /** Waits for the turn of a message. @param head  its first characters @returns false if it is dropped */
  async admits(head: string): Promise<boolean> {
    const isOver = this.tick();
    if (isOver && NOTIFICATIONS.some((start) => head.startsWith(start))) {
      this.dropped++;
      return false;
    }
    if (isOver) {
      await pause(this.from + SECOND_MS - performance.now(), undefined, { ref: false });
      this.tick();
    } else if (this.count % PER_TURN === 0) await nextTurn();
    return true;
  }

  /** Counts a message. @returns true if there are too many in this second */
  private tick(): boolean {
    const now = performance.now();
    if (now - this.from >= SECOND_MS) {
      if (this.dropped > 0) this.onDropped(this.dropped);
      [this.from, this.count, this.dropped] = [now, 0, 0];
    }
    return ++this.count > MAX_PER_SECOND;
  }
}

/** The message of a line, or the error that replaces a response with too many values. @throws MessageRefusedError */
function bounded(line: string): string {
  const problem = exceededBound(line);
  if (problem === null) return line;
  const [, first, last] =
    ID.exec(line.length > 2 * HEAD ? line.slice(0, HEAD) + line.slice(-HEAD) : line) ?? [];
  const id = first ?? last;
  if (id === undefined) throw new MessageRefusedError(problem);
  const error = { code: INTERNAL_ERROR, message: `The result was not read, because it ${problem}.` };
  return JSON.stringify({ jsonrpc: '2.0', id: Number(id), error });
}

/** Passes on the lines of a program that are messages within the limits, each as one chunk. */
function messageGate(onDropped: (count: number) => void): Transform {
  const rate = new MessageRate(onDropped);
  const received = new MessageBytes();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const read = async (): Promise<void> => {
        let from = 0;
        for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
          received.add(chunk.subarray(from, end));
          from = end + 1;
          const line = received.take();
          if (await rate.admits(line.toString('utf8', 0, HEAD))) this.push(`${bounded(line.toString())}\n`);
        }
        received.add(chunk.subarray(from));
      };
      read().then(() => done(), done);
    },
  });
}

/**
 * Puts the gate between the output of a program and the SDK, whose transport starts the program itself and takes no other
 * stream. So this reads the private `_process` of the transport and moves its listener. No other file uses a private field
 * of a library.
 * @throws Error when the program starts, if the SDK keeps its process elsewhere
 */
export function gated(channel: StdioChannel, onDropped: (count: number) => void): StdioChannel {
  const start = channel.start.bind(channel);
  channel.start = () => {
    const started = start();
    const { stdout } =
      (channel as unknown as { readonly _process?: Partial<ChildProcess> | undefined })._process ?? {};
    const [onData] = stdout?.listeners('data') ?? [];
    if (stdout && onData) {
      stdout.removeAllListeners('data');
      const gate = messageGate(onDropped);
      gate.on('data', (message: Buffer) => onData(message));
      gate.on('error', (error) => {
        channel.onerror?.(error);
        void channel.close();
      });
      stdout.pipe(gate);
    } else if (channel.pid !== null) {
      throw new Error('the output of the program can not be limited: the MCP SDK has changed');
    }
    return started;
  };
  return channel;
}
