import { resolveReferences } from '../../config/secret-reference.js';
import type { Call } from '../../core/call.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { KnownSecrets } from '../files/secret-values.js';
import { type SchemaCompiler, schemaCompiler } from './json-schema-check.js';
import type { LinkParts, LinkState } from './link/kept-connection.js';
import { type CallArguments, openProvider, signalTo, type Waiting } from './link/provider-connection.js';
import { failureText, invalidAnswer } from './link/provider-failures.js';
import { ProviderLink } from './link/provider-link.js';
import { boundedLog } from './link/provider-log.js';
import { type OfferedTool, offerTool, provideTools, type ToolLists } from './offer-tool.js';
import { ProviderCatalog } from './provider-catalog.js';
import type { ProviderConfig, ProviderTransport } from './provider-file.js';
import type { ProviderPins } from './provider-pins.js';
import { checkedAnswer, type ProviderAnswer } from './provider-reply.js';
import { type CallUnderWay, ProviderRequests } from './provider-requests.js';
import { providerOf } from './review-tools.js';

/** How often acceptances of other processes are looked for (ms). */
const REFRESH_MS = 1_000;

/** The parts of the server that providers need. */
export interface ProvidersParts extends ToolLists {
  readonly configs: readonly ProviderConfig[];
  readonly pins: ProviderPins;
  readonly log: (provider: string) => LinkParts['log'];
}

/** Replaces the references of a transport by their values, and notes these. @throws InvalidConfigurationError */
function withSecrets({ name, transport }: ProviderConfig, secrets: KnownSecrets): ProviderTransport {
  const field = transport.kind === 'http' ? 'headers' : 'env';
  const given = transport.kind === 'http' ? transport.headers : transport.env;
  const resolved = resolveReferences(given, `providers.${name}.${field}`);
  secrets.add(given, resolved);
  return { ...transport, [field]: resolved };
}

/** A call of a tool, and its host. */
export interface ProviderCall extends Pick<CallUnderWay, 'host' | 'record'> {
  readonly definition: AnyTool;
  readonly args: CallArguments;
  readonly onProgress?: Waiting['onProgress'];
}

/** A provider for operators. */
export interface ProviderState extends LinkState {
  readonly name: string;
  readonly transport: ProviderTransport;
}

/** A provider of the file, with its connection, its requests and its secrets. */
interface Mounted {
  readonly link: ProviderLink;
  readonly requests: ProviderRequests;
  readonly secrets: KnownSecrets;
}

/** The external servers of the governance file: offers their accepted tools, and calls them. */
export class Providers {
  private readonly mounted: ReadonlyMap<string, Mounted>;
  private offered = new Map<string, OfferedTool>();
  private timer: NodeJS.Timeout | undefined;
  private readonly killAll = (): void => {
    for (const { link } of this.mounted.values()) if (link.pid !== null) signalTo(link.pid, 'SIGKILL');
  };

  private constructor(
    private readonly parts: ProvidersParts,
    private readonly catalog: ProviderCatalog,
    private readonly compile: SchemaCompiler,
  ) {
    this.mounted = new Map(parts.configs.map((config) => [config.name, this.mount(config)]));
  }

  /** @throws InvalidConfigurationError if a secret is missing */
  static async open(parts: ProvidersParts, aliases: readonly string[]): Promise<Providers> {
    for (const config of parts.configs) withSecrets(config, new KnownSecrets());
    const compile = await schemaCompiler();
    const taken = [...parts.registry.all().map(({ name }) => name), ...aliases];
    return new Providers(parts, new ProviderCatalog({ pins: parts.pins, taken, compile }), compile);
  }

  /** Offers the tools that were accepted before, and connects in the background. */
  async start(): Promise<void> {
    for (const { name } of this.parts.configs) await this.attempt(name, () => this.catalog.recall(name));
    this.offer();
    for (const { link } of this.mounted.values()) link.start();
    let isBusy = false;
    const refresh = async (): Promise<void> => {
      if (isBusy) return;
      isBusy = true;
      await this.catalog.refresh().then(
        (isChanged) => isChanged && this.offer(),
        // The tools stay as they are until the store can be read again.
        () => undefined,
      );
      isBusy = false;
    };
    this.timer = setInterval(() => void refresh(), REFRESH_MS).unref();
    process.once('exit', this.killAll);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.allSettled([...this.mounted.values()].map(({ link }) => link.close()));
    process.removeListener('exit', this.killAll);
  }

  /**
   * Calls a tool that a list or an earlier stage of the call has offered.
   * @throws PithError
   */
  async call(call: Call, { definition, args, onProgress, ...asked }: ProviderCall): Promise<ProviderAnswer> {
    const offered = this.offered.get(definition.name);
    const provider = providerOf(definition.name, [...this.mounted.keys()]) ?? '';
    const mounted = this.mounted.get(provider);
    // The call was checked against another definition.
    if (!mounted || offered?.definition !== definition)
      throw invalidAnswer(provider, 'has changed this tool');
    const { link, requests, secrets } = mounted;
    const { tool, checkOutput: check } = offered;
    const result = await requests.during({ call, tool: tool.name, ...asked }, () =>
      link.call(tool.remoteName, args, { signal: call.signal, onProgress }),
    );
    return checkedAnswer(call, result, {
      tool,
      check,
      maxBytes: definition.budget.bytes,
      hide: (text) => secrets.hide(text),
    });
  }

  /** By name. */
  states(): ProviderState[] {
    return [...this.mounted.values()].map(
      ({
        link: {
          config: { name, transport },
          state,
        },
      }) => ({
        name,
        transport,
        ...state,
      }),
    );
  }

  private mount(config: ProviderConfig): Mounted {
    const { name } = config;
    const { debug, warn, showsOutput } = this.parts.log(name);
    const secrets = new KnownSecrets();
    const requests = new ProviderRequests(config);
    const now = (): number => performance.now();
    const link = new ProviderLink(config, {
      open: (prior, hooks) => openProvider(withSecrets(config, secrets), prior, { ...hooks, requests }),
      onTools: async (tools) => {
        await this.catalog.note(name, tools);
        this.offer();
        const waiting = this.catalog.reviewedOf(name).filter(({ state }) => state !== 'accepted').length;
        if (waiting > 0) warn(`${waiting} of its tools are not accepted; see pith providers`);
      },
      log: { debug: boundedLog(debug, now), warn, showsOutput },
      hide: (text) => secrets.hide(text),
      now,
      clock: Date.now,
      random: Math.random,
    });
    return { link, requests, secrets };
  }

  /** Offers what the catalog accepts now. A tool that did not change keeps its definition, so running calls go on. */
  private offer(): void {
    const { configs } = this.parts;
    const accepted = this.catalog.tools();
    const next = new Map<string, OfferedTool>();
    for (const config of configs) {
      const checkReady = (): void => this.mounted.get(config.name)?.link.checkReady();
      const offered = accepted
        .filter(({ provider }) => provider === config.name)
        .map((tool) => {
          const known = this.offered.get(tool.name);
          const isSame = known?.tool.definitionHash === tool.definitionHash;
          return isSame ? known : offerTool(tool, config, { compile: this.compile, checkReady });
        });
      for (const one of offered) next.set(one.tool.name, one);
      provideTools(config.name, offered, this.parts);
    }
    this.offered = next;
  }

  private async attempt(provider: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.log(provider).warn(`its accepted tools can't be read: ${failureText(error)}`);
    }
  }
}
