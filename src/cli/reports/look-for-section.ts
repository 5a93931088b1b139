import { BackendUnavailableError } from '../../core/errors.js';
import { NO_FILTER, type SectionIndex } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { nearestIds } from '../../diagnostics/why/nearest-ids.js';
import { spellTerms } from '../../diagnostics/why/spell-terms.js';
import type { WhyFacts } from '../../diagnostics/why/why-missing.js';
import { configuredEmbedder } from '../../engines/open-models.js';
import { readSectionIds } from '../../engines/sqlite/index/read-inventory.js';
import { type RanTool, type Replaying, runAgain, type ToolRun } from '../running/run-again.js';

/** Ids that are named where there is none of the one that was asked for. */
const MAX_NEAREST = 5;
/** An index that is published more often than this meanwhile is not worth waiting for. */
const MAX_ATTEMPTS = 3;

/** Which of these terms a section holds, whatever the scope. */
async function heldBy(
  index: SectionIndex,
  scope: Scope,
  sectionId: string,
  terms: readonly string[],
): Promise<string[]> {
  const words = terms.map((term) => ({ term, parts: [] }));
  const { documentFrequency } = await index.search({
    text: terms.join(' '),
    asked: { words, phrases: [], correctable: [], acronyms: [] },
    rankedBy: 'lexical',
    scope,
    filter: { ...NO_FILTER, sectionIds: [sectionId] },
    limit: 1,
    perDocument: 1,
  });
  return terms.filter((term) => (documentFrequency[term] ?? 0) > 0);
}

interface Looked {
  readonly facts: WhyFacts;
  readonly ran: RanTool;
}

/** @returns null where the index was published in between */
async function lookOnce(sectionId: string, run: ToolRun, replaying: Replaying): Promise<Looked | null> {
  const { session, config } = replaying;
  const { index } = session;
  const scope = await session.scope();
  const everything = { ...scope, docTags: null, repositories: null };
  const ran = await runAgain(run, replaying);
  if (ran.error) throw ran.error;
  const { answers, rankings, filter } = ran.retrieval;
  const { generation, sections } = await index.sections(everything, [sectionId]);
  if (answers.some((answer) => answer.generation !== generation)) return null;
  const [stored = null] = sections;
  const asked = [...new Set(answers.flatMap(({ terms }) => terms))];
  const id = stored?.section.id ?? sectionId;
  const ids = stored ? [] : readSectionIds(config.index.file, configuredEmbedder(config).profile);
  const held = stored ? await heldBy(index, everything, id, asked) : [];
  const spelled = spellTerms(
    asked,
    rankings.map(({ part }) => part.text),
  );
  const facts = {
    sectionId: id,
    stored,
    nearest: nearestIds(id, ids, MAX_NEAREST),
    scope,
    filter: filter ?? NO_FILTER,
    terms: { asked: [...spelled.values()], held: held.map((term) => spelled.get(term) ?? term) },
    retrieval: ran.retrieval,
  };
  return { facts, ran };
}

/**
 * Asks a tool and finds out about a section that it should have found, all on one state of the index.
 * @param sectionId  or the path of a document, for its first section
 * @throws PithError as the tool does; BackendUnavailableError `index_busy`
 */
export async function lookForSection(sectionId: string, run: ToolRun, replaying: Replaying): Promise<Looked> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const looked = await lookOnce(sectionId, run, replaying);
    if (looked) return looked;
  }
  throw new BackendUnavailableError('The index changed repeatedly during the lookup.', {
    reason: 'index_busy',
    hint: 'Run this again in a moment.',
  });
}
