import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault, FaultProxy } from './fault-proxy.js';
import type { CallResult, HttpProcess, TestClient } from './mcp-clients.js';
import { poll } from './processes.js';

/** The outcome of a call in one line: `answers`, `answers without X`, or `CODE reason`. */
export interface Outcome {
  readonly text: string;
  readonly ms: number;
}

/** A tool family with its probe calls. */
export type Probe = (client: TestClient) => Promise<CallResult | object>;

interface ErrorFacts {
  readonly code: unknown;
  readonly details?: { readonly reason?: unknown };
}

function textOf(result: CallResult | object): string {
  const { error, degraded } = ('structuredContent' in result ? result.structuredContent : {}) as {
    error?: ErrorFacts;
    degraded?: readonly string[];
  };
  if (error) return `${String(error.code)} ${String(error.details?.reason)}`;
  return degraded ? `answers without ${degraded.join(', ')}` : 'answers';
}

/** Resources fail as requests; the error of the server is in the data. */
function refusalText(error: unknown): string {
  const { data } = error as { data?: { code?: unknown; reason?: unknown; details?: { reason?: unknown } } };
  return data
    ? `${String(data.code)} ${String(data.reason ?? data.details?.reason)}`
    : `broken: ${String(error)}`;
}

/** Makes one call and returns its outcome. */
export async function outcomeOf(probe: Probe, client: TestClient): Promise<Outcome> {
  const start = performance.now();
  const text = await probe(client).then(textOf, refusalText);
  return { text, ms: performance.now() - start };
}

/** Number of open sockets of a process, to detect leaks. */
export function socketsOf({ child }: HttpProcess): number {
  const folder = `/proc/${child.pid}/fd`;
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(join(folder, fd)).startsWith('socket:');
    } catch {
      // Closed meanwhile.
      return false;
    }
  }).length;
}

/** Waits until every probe gives a complete answer. @returns milliseconds */
export async function recovered(client: TestClient, probes: Record<string, Probe>): Promise<number> {
  const start = performance.now();
  for (const [name, probe] of Object.entries(probes)) {
    let last = '';
    const look = async (): Promise<true | undefined> => {
      last = (await outcomeOf(probe, client)).text;
      return last === 'answers' ? true : undefined;
    };
    await poll(name, look, 15_000).catch((error: unknown) => {
      throw new Error(`${name} says ${last}: ${String(error)}`);
    });
  }
  return performance.now() - start;
}

/** Faults by name; `refusal` is the backend's response to an unknown user. */
export function faultsOf(refusal: (sent: Buffer) => Buffer | string): Record<string, Fault> {
  return {
    down: { mode: 'down' },
    'killed mid-call': { mode: 'killed', afterBytes: 3 },
    'slow (10 s)': { mode: 'slow', delayMs: 10_000 },
    'half-open': { mode: 'half-open' },
    garbage: { mode: 'garbage' },
    'refusing auth': { mode: 'refusing', answer: refusal },
  };
}

/** Calls all probes twice, to test both the first failures and the failures of a backend that is known to be down. */
export async function underFault(
  { client, proxy }: { client: TestClient; proxy: FaultProxy },
  probes: Record<string, Probe>,
  fault: Fault,
): Promise<Record<string, Outcome[]>> {
  await proxy.set(fault);
  const seen: Record<string, Outcome[]> = Object.fromEntries(Object.keys(probes).map((name) => [name, []]));
  for (let round = 0; round < 2; round++) {
    for (const [name, probe] of Object.entries(probes)) seen[name]?.push(await outcomeOf(probe, client));
  }
  return seen;
}

/** Writes the outcomes as a table in reports/: one line per tool family, one column per fault. */
export class FaultTable {
  private readonly cells = new Map<string, Map<string, string>>();

  constructor(private readonly backend: string) {}

  note(fault: string, seen: Record<string, readonly Outcome[]>): void {
    for (const [family, outcomes] of Object.entries(seen)) {
      const texts = [...new Set(outcomes.map(({ text }) => text))].join(' or ');
      const slowest = Math.max(...outcomes.map(({ ms }) => ms));
      const row = this.cells.get(family) ?? new Map<string, string>();
      this.cells.set(family, row.set(fault, `${texts} (${Math.ceil(slowest / 10) * 10} ms)`));
    }
  }

  noteRecovery(fault: string, ms: number): void {
    const row = this.cells.get('*answers in full again after*') ?? new Map<string, string>();
    this.cells.set('*answers in full again after*', row.set(fault, `${(ms / 1000).toFixed(1)} s`));
  }

  write(): void {
    const faults = [...new Set([...this.cells.values()].flatMap((row) => [...row.keys()]))];
    const lines = [
      `### ${this.backend}`,
      '',
      `| Call | ${faults.join(' | ')} |`,
      `| --- |${' --- |'.repeat(faults.length)}`,
      ...[...this.cells].map(
        ([family, row]) => `| ${family} | ${faults.map((fault) => row.get(fault) ?? '').join(' | ')} |`,
      ),
    ];
    const folder = join(__dirname, '..', '..', 'reports', 'faults');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${this.backend.toLowerCase()}.md`), `${lines.join('\n')}\n`);
  }
}
