import { randomBytes } from 'node:crypto';
import type { McpTransport } from '@rekog/mcp-nest';
import { CallHistory } from './admin/facts/call-history.js';
import type { EmbedderChoice } from './engines/models/embedding/embedder-named.js';
import { ReaderThread } from './engines/sqlite/reader-thread.js';
import { TOOLS } from './app.module.js';
import type { AppParts } from './app.module.js';
import type { Config } from './config/config.js';
import { serverSecret } from './config/server-secret.js';
import { CorpusDirectory } from './search-docs/corpus-directory.js';
import type { SectionIndex } from './core/ports/section-index.port.js';
import { BuildingReaderThread } from './engines/index-build.js';
import type { IndexBuild } from './engines/index-build.js';
import type { CorpusLists } from './mcp/corpus-lists.js';
import { definitionsOf } from './mcp/define-tool.js';
import { loadHosts } from './mcp/surface/load-hosts.js';
import { openDiagnostics } from './telemetry/open-diagnostics.js';
import type { Diagnostics } from './telemetry/open-diagnostics.js';
import { openScratch } from './engines/open-scratch.js';
import type { FinishedCall } from './mcp/pipeline/call-watch.js';
import { CallMetrics } from './telemetry/call-metrics.js';
import { PithStrategy } from './mcp/transport/pith-strategy.js';
import { resolveSurface } from './mcp/surface/surface.js';
import type { Surface } from './mcp/surface/surface.js';
import { openServerEngines } from './engines/open-engines.js';
import { openMemory } from './engines/open-memory.js';
import { openModels } from './engines/open-models.js';
import { PACKAGE_ROOT, VERSION } from './core/package-facts.js';
import { ScopeService } from './scope/scope.service.js';

/** What both doors are built from. */
export interface ServerParts extends AppParts {
  readonly strategy: PithStrategy;
  /** Null where the tools over the corpus are switched off. */
  readonly corpus: CorpusLists | null;
  readonly diagnostics: Diagnostics;
  /** Of the last hours, for operators' pages; null where nobody can come to them. */
  readonly history: CallHistory | null;
  /** Whether cursors and passage ids outlive a restart. */
  readonly isSecretLasting: boolean;
}

/** A list is the first thing that a client asks for; rather a list that says less than one that is late. */
const LIST_WAIT_MS = 750;

/** The index is asked at once: it opens while the modules are loaded, so the first list need not wait for it. */
function openDirectory(config: Config, index: SectionIndex): CorpusLists | null {
  if (!config.surface.docsTools) return null;
  const scopes = new ScopeService(index, config.scope);
  const scope = () => scopes.resolve(undefined, Date.now());
  const directory = new CorpusDirectory({ index, scope, waitMs: LIST_WAIT_MS });
  void directory.facts();
  return directory;
}

/** Whether somebody can come to /admin and /metrics. */
const hasOperators = ({ admin }: Config, { kind }: McpTransport): boolean =>
  kind !== 'stdio' && admin.token !== '';

/** Metrics are made where somebody can ask for them: at /metrics, or at a collector. */
function countsCalls(config: Config, transport: McpTransport): boolean {
  const { otlpEndpoint, isDisabled } = config.telemetry;
  return (otlpEndpoint !== '' && !isDisabled) || hasOperators(config, transport);
}

/** What looks on at calls; of it, metrics and history are there only where somebody can ask for them. */
function lookOn(
  config: Config,
  transport: McpTransport,
  surface: Surface,
): Pick<ServerParts, 'diagnostics' | 'history' | 'metrics'> {
  const metrics = countsCalls(config, transport) ? new CallMetrics(surface.tools.keys()) : null;
  const history = hasOperators(config, transport) ? new CallHistory(Date.now) : null;
  const observers = history ? [(finished: FinishedCall) => history.observe(finished)] : [];
  return { diagnostics: openDiagnostics(config, metrics, observers), history, metrics };
}

type StrategyParts = Pick<ServerParts, 'config' | 'surface' | 'secret' | 'corpus' | 'diagnostics'>;

function strategyFor(transport: McpTransport, parts: StrategyParts): PithStrategy {
  const { config, surface, secret, corpus, diagnostics } = parts;
  return new PithStrategy({
    name: 'pith',
    title: 'Pith',
    version: VERSION,
    // Lists follow the index, but nobody is told when: whoever asks again, reads what is true then.
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false },
      ...(corpus ? { prompts: { listChanged: false } } : {}),
      logging: undefined,
    },
    cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
    transports: [transport],
    callTimeoutMs: config.limits.callTimeoutMs,
    now: Date.now,
    watch: diagnostics.watch,
    corpus,
    rules: {
      surface,
      secret,
      project: config.scope.project || config.index.file,
      processSessionId: randomBytes(12).toString('base64url'),
      isOperator: config.admin.isOperator,
    },
  });
}

function openThread({ index }: Config, embedder: EmbedderChoice, build: IndexBuild | null): ReaderThread {
  return build
    ? new BuildingReaderThread(index.file, embedder, build)
    : new ReaderThread(index.file, embedder);
}

/**
 * Makes what a server needs before its container: the surface, the index and the transport's strategy.
 * @param build  the index run that goes on meanwhile
 */
export function serverParts(
  config: Config,
  transport: McpTransport,
  build: IndexBuild | null = null,
): ServerParts {
  const scratch = openScratch(config);
  const hosts = loadHosts(PACKAGE_ROOT, config.surface.hostsFile);
  const surface = resolveSurface(definitionsOf(TOOLS), config, hosts);
  const { secret, isLasting } = serverSecret(config);
  const models = openModels(config);
  const thread = openThread(config, models.model?.profile ?? config.models.embedder, build);
  const { index, graph } = openServerEngines(config, models, thread);
  const corpus = openDirectory(config, index);
  const looking = lookOn(config, transport, surface);
  const shared = { config, surface, secret, corpus, ...looking };
  const strategy = strategyFor(transport, shared);
  const memory = config.innerVoice.isEnabled ? openMemory(config, thread) : null;
  return {
    ...shared,
    index,
    reranker: models.reranker,
    graph,
    memory,
    scratch,
    strategy,
    isSecretLasting: isLasting,
  };
}
