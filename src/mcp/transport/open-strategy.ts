import { Inject, Injectable } from '@nestjs/common';
import { VERSION } from '../../core/package-facts.js';
import { CorpusLists } from '../corpus-lists.js';
import { definitionsOf } from '../define-tool.js';
import { CallWatch } from '../pipeline/call-watch.js';
import { CallerRules } from '../pipeline/caller-identity.js';
import { CallerLimits } from '../pipeline/caller-limits.js';
import type { Serving } from '../serving.js';
import { SERVES_SKILLS } from '../surface/skills.js';
import { PithStrategy, type PithStrategyOptions } from './pith-strategy.js';

/** The strategy's dependencies from other modules. */
@Injectable()
export class StrategyParts {
  constructor(
    readonly rules: CallerRules,
    readonly watch: CallWatch,
    @Inject(CorpusLists) readonly corpus: CorpusLists | null,
    readonly limits: CallerLimits,
  ) {}
}

/** The options of the strategy that answers MCP over the transport. */
export function strategyOptions({ transport, features }: Serving, parts: StrategyParts): PithStrategyOptions {
  const { rules, watch, corpus, limits } = parts;
  return {
    name: 'pith',
    title: 'Pith',
    version: VERSION,
    // Lists follow the index, but clients are not notified: each request reads the current state.
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false },
      ...(corpus ? { prompts: { listChanged: false } } : {}),
      ...(corpus ? { completions: {} } : {}),
      logging: {},
      ...(corpus ? { extensions: SERVES_SKILLS } : {}),
    },
    cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
    transports: [transport],
    offTools: async () => definitionsOf(await features.offTools()),
    limits,
    now: Date.now,
    watch,
    corpus,
    rules,
  };
}

export function openStrategy(serving: Serving, parts: StrategyParts): PithStrategy {
  return new PithStrategy(strategyOptions(serving, parts));
}
