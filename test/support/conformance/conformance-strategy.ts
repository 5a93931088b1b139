import type { CorpusFacts } from '../../../src/core/corpus-facts.js';
import type { ScopeRequest } from '../../../src/core/scope.js';
import type { CorpusLists } from '../../../src/mcp/corpus-lists.js';
import type { Serving } from '../../../src/mcp/serving.js';
import { strategyOptions, type StrategyParts } from '../../../src/mcp/transport/open-strategy.js';
import { PithStrategy } from '../../../src/mcp/transport/pith-strategy.js';
import { FIXTURE_PROMPT, FIXTURE_PROMPTS } from './fixture-prompts.js';

/** The lists of the corpus, with the prompts of the fixtures. */
function withFixtures(lists: CorpusLists): CorpusLists {
  const facts = async (limit: ScopeRequest): Promise<CorpusFacts | null> => {
    const own = await lists.facts(limit);
    return own && { ...own, prompts: [...own.prompts, ...FIXTURE_PROMPTS] };
  };
  return {
    facts,
    scope: (limit) => lists.scope(limit),
    resources: (cursor, limit) => lists.resources(cursor, limit),
    readState: (uri, limit) => lists.readState(uri, limit),
    pathsFrom: (start, most, limit) => lists.pathsFrom(start, most, limit),
    skill: (about, tools) => lists.skill(about, tools),
    offersDocuments: (limit) => lists.offersDocuments(limit),
  };
}

/** Pith's strategy, which also knows the prompts and resources of the fixtures. */
class ConformanceStrategy extends PithStrategy {
  protected override toolBehind(method: string, uri: string): string | null {
    return uri.startsWith('test://') ? 'test_simple_text' : super.toolBehind(method, uri);
  }

  protected override promptHandler(name: string): string {
    return name.startsWith('test_') ? FIXTURE_PROMPT : super.promptHandler(name);
  }
}

export function conformanceStrategy(serving: Serving, parts: StrategyParts): PithStrategy {
  const options = strategyOptions(serving, parts);
  return new ConformanceStrategy({
    ...options,
    corpus: options.corpus && withFixtures(options.corpus),
  });
}
