import { collectWhyFacts } from '../../diagnostics/why/collect-why-facts.js';
import { readSectionIds } from '../../sqlite/index/read-inventory.js';
import { type Replaying, runAgain, type ToolRun } from './run-again.js';

/** Runs a tool and collects facts about an expected section, also outside the scope. @throws like `collectWhyFacts` */
export async function lookForSection(sectionId: string, run: ToolRun, replaying: Replaying) {
  const { session, config } = replaying;
  const scope = await session.scope();
  return collectWhyFacts(sectionId, {
    index: session.index,
    scope,
    visible: { ...scope, docTags: null, repositories: null },
    retrieve: async () => {
      const ran = await runAgain(run, replaying);
      if (ran.error) throw ran.error;
      return ran;
    },
    ids: () => readSectionIds(config.index.file, session.embedder),
  });
}
