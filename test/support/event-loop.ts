import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

const HOOK = join(__dirname, 'event-loop-hook.cjs');

/** The environment that makes a server report how long its event loop was blocked. */
export function watchedEnv(socket: string): Record<string, string> {
  return { NODE_OPTIONS: `--require "${HOOK}"`, EVENT_LOOP_SOCKET: socket };
}

/** Queries a watched server. */
export class LoopProbe {
  private constructor(private readonly socket: Socket) {}

  static async open(path: string): Promise<LoopProbe> {
    const socket = connect(path);
    await once(socket, 'connect');
    return new LoopProbe(socket);
  }

  /** Longest time without a turn of the event loop since the last query, in milliseconds. */
  async worstMs(): Promise<number> {
    const answer = once(this.socket, 'data');
    this.socket.write('?');
    const [data] = (await answer) as [Buffer];
    return Number(data.toString());
  }

  close(): void {
    this.socket.destroy();
  }
}
