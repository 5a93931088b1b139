import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { AppModule, TOOLS } from './app.module.js';
import type { AppParts } from './app.module.js';
import type { OpenSession, SessionOptions } from './cli/running/session.js';
import type { Config } from './config/config.js';
import { UNCORRELATED } from './core/call.js';
import { PACKAGE_ROOT, VERSION } from './core/package-facts.js';
import { openLocalEngines } from './engines/open-engines.js';
import { openModels } from './engines/open-models.js';
import { openScratch } from './engines/open-scratch.js';
import { EvidenceService } from './kb/evidence/evidence.service.js';
import { definitionsOf } from './mcp/define-tool.js';
import type { CallWatch, FinishedCall } from './mcp/pipeline/call-watch.js';
import { loadHosts } from './mcp/surface/load-hosts.js';
import { resolveSurface } from './mcp/surface/surface.js';
import { InProcessTransport } from './mcp/transport/in-process-transport.js';
import { PithStrategy } from './mcp/transport/pith-strategy.js';
import { ScopeService } from './scope/scope.service.js';
import { PassagesService } from './scratch/passages.service.js';

/** Settings for the person at the keyboard: every tool over documents, no rate, and passages in this process. */
function forKeyboard({ limits, surface, backends, innerVoice, ...config }: Config): Config {
  return {
    ...config,
    limits: { ...limits, ratePerMinute: 0 },
    surface: {
      ...surface,
      kbEnabled: true,
      docsTools: true,
      legacyTools: 'callable',
      legacySearch: true,
      toolset: 'full',
      hostProfile: '',
      hostsFile: '',
      // Nothing on the command line refuses dots, and the documentation spells tools with them.
      toolNames: 'dotted',
      render: 'auto',
    },
    backends: { ...backends, scratch: 'memory' },
    innerVoice: { ...innerVoice, isEnabled: false },
  };
}

/** The same parts as a server's, but the file is read in this thread: nobody else waits. */
function partsOf(config: Config): AppParts {
  const models = openModels(config);
  return {
    config,
    surface: resolveSurface(definitionsOf(TOOLS), config, loadHosts(PACKAGE_ROOT, config.surface.hostsFile)),
    secret: randomBytes(32).toString('base64url'),
    ...openLocalEngines(config, models),
    scratch: openScratch(config),
    reranker: models.reranker,
    metrics: null,
    memory: null,
  };
}

/** Keeps finished calls for the session. Nothing is written down of them. */
function watchFor({ isDebug = false }: SessionOptions, finished: Map<unknown, FinishedCall>): CallWatch {
  return {
    begin: () => ({
      correlation: UNCORRELATED,
      isSampled: false,
      isWritable: false,
      isDebug,
      end: (call) => void finished.set(call.start.id, call),
    }),
  };
}

function strategyFor(transport: InProcessTransport, watch: CallWatch, parts: AppParts): PithStrategy {
  const { config, surface, secret } = parts;
  return new PithStrategy({
    name: 'pith',
    version: VERSION,
    capabilities: { logging: undefined },
    transports: [transport],
    callTimeoutMs: config.limits.callTimeoutMs,
    now: Date.now,
    watch,
    corpus: null,
    rules: {
      surface,
      secret,
      project: config.scope.project || config.index.file,
      processSessionId: randomBytes(12).toString('base64url'),
      isOperator: true,
    },
  });
}

/** Opens the application in this process, with a client that calls its tools. */
export const openInProcess: OpenSession = async (config, options = {}) => {
  const parts = partsOf(forKeyboard(config));
  const transport = new InProcessTransport();
  const calls = new Map<unknown, FinishedCall>();
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(AppModule.register(parts), {
    strategy: strategyFor(transport, watchFor(options, calls), parts),
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  const { index, graph } = parts;
  return {
    call: async (tool, args) => {
      const result = await transport.callTool(tool, args);
      const id = Object(result['_meta'])['pith/tool_call_id'];
      const finished = calls.get(id);
      calls.delete(id);
      if (!finished) throw new Error(`${tool} did not pass the pipeline`);
      return { result, finished };
    },
    scope: () => app.get(ScopeService, { strict: false }).resolve(undefined, Date.now()),
    index,
    graph,
    evidence: app.get(EvidenceService, { strict: false }),
    passages: app.get(PassagesService, { strict: false }),
    close: async () => {
      await app.close();
      await index.close();
      await graph?.close();
    },
  };
};
