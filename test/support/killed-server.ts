import {
  connectClient,
  type Era,
  startHttpProcess,
  type TestClient,
  type TransportName,
} from './mcp-clients.js';

/** Why a call has no answer: its server was killed. */
export class Killed extends Error {}

/** A refusal of a call. */
export class Refused extends Error {
  constructor(
    tool: string,
    readonly details: Readonly<Record<string, unknown>>,
    result: unknown,
  ) {
    super(`${tool}: ${JSON.stringify(result)}`);
  }
}

export interface ServerPlace {
  readonly era: Era;
  readonly transport: TransportName;
  readonly index: string;
  readonly env: Record<string, string>;
}

/** A server process with one client, which can be killed while it works. */
export class KillableServer {
  private lose: (error: Killed) => void = () => undefined;
  private readonly lost = new Promise<never>((_, reject) => (this.lose = reject));

  private constructor(
    private readonly client: TestClient,
    private readonly pid: number,
    private readonly ended: () => Promise<unknown>,
  ) {
    this.lost.catch(() => undefined);
  }

  static async start({ era, transport, index, env }: ServerPlace): Promise<KillableServer> {
    if (transport === 'stdio') {
      const client = await connectClient({ era, transport, index, env });
      return new KillableServer(client, client.pid() ?? 0, () => client.close());
    }
    const { url, child } = await startHttpProcess(index, env);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const client = await connectClient({ era, transport, index, url });
    return new KillableServer(client, child.pid ?? 0, () => Promise.all([exited, client.close()]));
  }

  /** @returns the structured result @throws Refused, and Killed if the server is killed before the answer is here */
  async call(tool: string, args: Record<string, unknown>) {
    const answer = this.client.call(tool, args);
    answer.catch(() => undefined);
    const result = await Promise.race([answer, this.lost]);
    const content = Object(result.structuredContent);
    if (result.isError) throw new Refused(tool, Object(content.error?.details), content);
    return content;
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    process.kill(this.pid, 'SIGKILL');
    this.lose(new Killed('the server was killed'));
    await this.ended().catch(() => undefined);
  }
}
