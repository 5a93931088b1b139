import { BackendUnavailableError } from '../../core/errors.js';
import { NO_FILTER, type SectionIndex } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { nearestIds } from '../../diagnostics/why/nearest-ids.js';
import { sectionOfPage } from '../../diagnostics/why/section-of-page.js';
import { spellTerms } from '../../diagnostics/why/spell-terms.js';
import type { WhyFacts } from '../../diagnostics/why/why-missing.js';
import { configuredEmbedder } from '../../engines/open-models.js';
import { readSectionIds } from '../../engines/sqlite/index/read-inventory.js';
import { type RanTool, type Replaying, runAgain, type ToolRun } from './run-again.js';

/** Maximum number of similar ids that are suggested for an unknown id. */
const MAX_NEAREST = 5;
/** Attempts before an index that keeps changing is reported as busy. */
const MAX_ATTEMPTS = 3;

interface Looking {
  readonly index: SectionIndex;
  readonly scope: Scope;
}

async function heldBy(
  sectionId: string,
  terms: readonly string[],
  { index, scope }: Looking,
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

/** @returns null if the index changed meanwhile */
async function lookOnce(sectionId: string, run: ToolRun, replaying: Replaying): Promise<Looked | null> {
  const { session, config } = replaying;
  const { index } = session;
  const scope = await session.scope();
  const everything = { ...scope, docTags: null, repositories: null };
  const ran = await runAgain(run, replaying);
  if (ran.error) throw ran.error;
  const { answers, rankings, filter } = ran.retrieval;
  const asked = sectionOfPage(sectionId, ran.retrieval) ?? sectionId;
  const { generation, sections } = await index.sections(everything, [asked]);
  if (answers.some((answer) => answer.generation !== generation)) return null;
  const [stored = null] = sections;
  const terms = [...new Set(answers.flatMap(({ terms }) => terms))];
  const id = stored?.section.id ?? sectionId;
  const ids = stored ? [] : readSectionIds(config.index.file, configuredEmbedder(config).profile);
  const held = stored ? await heldBy(id, terms, { index, scope: everything }) : [];
  const spelled = spellTerms(
    terms,
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
 * Runs a tool and collects facts about an expected section, all from one generation of the index.
 * @param sectionId  an id, or the path of a document for its section that got furthest, or else its first
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
