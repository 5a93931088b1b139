import 'reflect-metadata';
import { type DynamicModule, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { AppModule } from './app.module.js';
import type { OpenSession, SessionOptions } from './cli/running/session.js';
import { orClose } from './cli/running/signals.js';
import type { Config } from './config/config.js';
import { UNCORRELATED } from './core/call.js';
import { Embedder } from './core/ports/embedder.port.js';
import { GraphStore } from './core/ports/graph-store.port.js';
import { SectionIndex } from './core/ports/section-index.port.js';
import { loadEngines, loadFeatures } from './features.js';
import { EvidenceService } from './kb/evidence/evidence.service.js';
import { CallWatch, type FinishedCall } from './mcp/pipeline/call-watch.js';
import { CallerRules } from './mcp/pipeline/caller-identity.js';
import { InProcessTransport } from './mcp/transport/in-process-transport.js';
import { PithStrategy } from './mcp/transport/pith-strategy.js';
import { ScopeService } from './scope/scope.service.js';
import { PassagesService } from './scratch/passages.service.js';

/** Settings for the command line: all document tools, no limits or policy, passages in this process, operator rights. */
function forKeyboard({
  admin,
  governance,
  limits,
  surface,
  backends,
  innerVoice,
  ...config
}: Config): Config {
  return {
    ...config,
    admin: { ...admin, isOperator: true },
    limits: { ...limits, ratePerMinute: 0 },
    governance: { ...governance, file: '', agent: 'default' },
    surface: {
      ...surface,
      kbEnabled: true,
      docsTools: true,
      legacyTools: 'callable',
      legacySearch: true,
      toolset: 'full',
      hostProfile: '',
      hostsFile: '',
      // The documentation spells tool names with dots, and the command line accepts them.
      toolNames: 'dotted',
      responseEnvelope: 'off',
      render: 'auto',
    },
    backends: { ...backends, scratch: 'memory' },
    innerVoice: { ...innerVoice, isEnabled: false },
  };
}

/** Keeps finished calls for the session and records nothing. */
function watchFor({ isDebug = false }: SessionOptions, finished: Map<unknown, FinishedCall>): DynamicModule {
  const watch: CallWatch = {
    begin: () => ({
      correlation: UNCORRELATED,
      isSampled: false,
      isWritable: false,
      isDebug,
      end: (call) => void finished.set(call.start.id, call),
    }),
  };
  const providers = [{ provide: CallWatch, useValue: watch }];
  return { module: SessionWatchModule, providers, exports: providers };
}

@Module({})
class SessionWatchModule {}

const processScope = (app: INestMicroservice) =>
  app
    .get(ScopeService, { strict: false })
    .resolve(undefined, Date.now(), app.get(CallerRules, { strict: false }).processUser.scope);

/** Opens the application in this process, with a client that calls its tools. */
export const openInProcess: OpenSession = async (config, options = {}) => {
  const transport = new InProcessTransport();
  const calls = new Map<unknown, FinishedCall>();
  const settings = forKeyboard(config);
  const root = AppModule.register(settings, {
    transport,
    engines: (await loadEngines()).inProcess(settings),
    over: 'command',
    features: await loadFeatures(settings, 'command'),
    observers: watchFor(options, calls),
    hasLists: false,
    flushMs: 0,
  });
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    inject: [PithStrategy],
    useFactory: (strategy: PithStrategy) => ({ strategy }),
    logger: false,
    abortOnError: false,
  });
  await orClose(app.listen(), () => app.close());
  return {
    call: async (tool, args) => {
      const result = await transport.callTool(tool, args);
      const id = Object(result['_meta'])['pith/tool_call_id'];
      const finished = calls.get(id);
      calls.delete(id);
      if (!finished) throw new Error(`${tool} did not pass the pipeline`);
      return { result, finished };
    },
    scope: () => processScope(app),
    embedder: app.get(Embedder, { strict: false }).profile,
    index: app.get(SectionIndex, { strict: false }),
    graph: app.get<GraphStore | null>(GraphStore, { strict: false }),
    evidence: app.get(EvidenceService, { strict: false }),
    passages: app.get(PassagesService, { strict: false }),
    close: () => app.close(),
  };
};
