import { z } from 'zod';
import type { Call } from '../../core/call.js';
import { isBackendLost, PithError } from '../../core/errors.js';
import { noteRetrieval } from '../../core/note-retrieval.js';
import { type Candidate, NO_FILTER } from '../../core/ports/section-index.port.js';
import { keptOf, listReply } from '../../core/reply.js';
import { type ReadRanking, readRanking } from '../../kb/evidence/choose-evidence.js';
import { sectionIdsOf } from '../../kb/kb.schemas.js';
import { noteMissing } from '../../kb/search/rank-parts.js';
import { DOCUMENT_TEXT } from '../../mcp/tool-class.js';
import {
  answerEvidenceSchema,
  answerMarkdown,
  type SectionLinks,
  toAnswerEvidence,
} from '../answer-evidence.js';
import { readRelations } from '../graph/legacy-relations.js';
import { endsOf, nodesById, walkNamed } from '../graph/named-walk.js';
import { anyInt } from '../legacy.schemas.js';
import type { LegacyService } from '../legacy.service.js';
import { legacyTool } from '../legacy-tool.js';

const VERBOSITIES = ['graph', 'full', 'markdown', 'md', 'snippet', 'snip', 'short'];
const MAX_EVIDENCE = 5;
const MAX_ENTITIES = 20;
const MAX_TOP_K = 100;
const NO_LINKS: SectionLinks = { level: null, entities: [] };
const MENTIONS = {
  rules: readRelations(['MENTIONS']),
  direction: 'out',
  maxHops: 1,
  fanOut: MAX_ENTITIES,
} as const;

async function linksOf(
  { graph }: LegacyService,
  call: Call,
  { ids, generation }: { readonly ids: readonly string[]; readonly generation: string },
): Promise<ReadonlyMap<string, SectionLinks>> {
  if (!graph) return new Map();
  const reads = { graph, call };
  const { neighbours } = await walkNamed(reads, { ...MENTIONS, seeds: ids }, generation);
  const ends = (id: string): string[] => endsOf(neighbours, id);
  const nodes = await nodesById(reads, [...ids, ...ids.flatMap(ends)], { generation });
  return new Map(
    ids.map((id) => [
      id,
      { level: nodes.get(id)?.level ?? null, entities: ends(id).flatMap((end) => nodes.get(end) ?? []) },
    ]),
  );
}

/** Links are optional: if the graph is down, late or of another generation, the answer has none and is marked degraded. */
async function linksIfAny(...asked: Parameters<typeof linksOf>): Promise<ReadonlyMap<string, SectionLinks>> {
  const [, call] = asked;
  try {
    return await linksOf(...asked);
  } catch (error) {
    if (!isBackendLost(error) || call.signal.aborted) throw error;
    noteMissing(call.trace.degraded, 'graph');
    return new Map();
  }
}

function diagnosticsOf({ trace }: Call, { ranking }: ReadRanking): Record<string, unknown> {
  return {
    ranking_features: { method: 'weighted_sum', signals: ['bm25', 'vector', 'title'] },
    timing: { ...trace.timings },
    total_candidates: ranking.matched,
    filters_applied: {},
  };
}

async function search(from: LegacyService, call: Call, { query, most }: { query: string; most: number }) {
  const ranking = await from.rankWhole(call, query, { filter: NO_FILTER, most });
  const read = readRanking(ranking);
  const cited: readonly Candidate[] = ranking.candidates.slice(0, MAX_EVIDENCE);
  const ids = cited.map(({ section }) => section.id);
  const links = await linksIfAny(from, call, { ids, generation: ranking.generation });
  const maxChars = cited.reduce((longest, { section }) => Math.max(longest, section.text.length), 0);
  const diagnostics = diagnosticsOf(call, read);
  const confidence = Math.round(read.confidence * 10_000) / 10_000;
  const total = ranking.candidates.length;
  const answer = total > 0 ? `Found ${total} sections for: ${query}` : 'No section was found.';
  noteRetrieval(call, { listed: ids });
  return listReply(
    { count: cited.length, maxChars },
    (fit) => {
      const evidence = keptOf(cited, fit).map((found) =>
        toAnswerEvidence(found, read, {
          ...(links.get(found.section.id) ?? NO_LINKS),
          maxChars: fit.maxChars,
        }),
      );
      return {
        answer_markdown: answerMarkdown(answer, evidence),
        answer_json: { answer, evidence, confidence, diagnostics },
      };
    },
    ({ answer_json }) => noteRetrieval(call, { shown: sectionIdsOf(answer_json.evidence) }),
  );
}

function failed(error: string) {
  const answer_json = { answer: error, evidence: [], confidence: 0, diagnostics: { error } };
  return listReply({ count: 0, maxChars: 0 }, () => ({ answer_markdown: error, answer_json }));
}

/** Errors are part of the result, and there is no envelope. */
export const legacySearchDocumentation = legacyTool({
  name: 'search_documentation',
  title: 'Search the documentation (older name)',
  description:
    'Legacy name of kb.retrieve_evidence; prefer kb.retrieve_evidence. ' +
    'Returns the five best sections of top_k (20) with their text as Markdown and as JSON. ' +
    'verbosity: graph, full or markdown. Problems come as diagnostics.error in a result.',
  input: z.object({
    query: z.string().max(4_000),
    top_k: anyInt.default(20),
    verbosity: z.string().max(64).default('graph'),
  }),
  output: z.strictObject({
    answer_markdown: z.string(),
    answer_json: z.strictObject({
      answer: z.string(),
      evidence: z.array(answerEvidenceSchema),
      confidence: z.number(),
      diagnostics: z.record(z.string(), z.unknown()),
    }),
  }),
  feature: 'legacy_search',
  isRetrieval: true,
  mounts: ['documents'],
  standsFor: DOCUMENT_TEXT,
  counted: [({ answer_json }) => answer_json.evidence.length, 'sections'],

  answer: async (from, call, { query, top_k, verbosity }) => {
    if (!VERBOSITIES.includes(verbosity)) {
      return failed(`Validation error: verbosity must be one of ${VERBOSITIES.slice(0, 4).join(', ')}`);
    }
    try {
      return await search(from, call, { query, most: Math.min(MAX_TOP_K, Math.max(1, top_k)) });
    } catch (error) {
      if (error instanceof PithError) return failed(`Search failed: ${error.message}`);
      throw error;
    }
  },
});
