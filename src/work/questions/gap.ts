import { setImmediate } from 'node:timers/promises';
import { rowsByKey } from '../../core/collections/group-rows.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { Scope } from '../../core/scope.js';
import { pagePath } from '../../core/section-id.js';
import { clipText } from '../../text/span.js';
import {
  collectNeeds,
  comparedParts,
  findUnanswered,
  type KeptQuestion,
  type Need,
  questionLikeness,
  type QuestionProfile,
  scopeKey,
} from './question.js';

/**
 * `open`: not answered. `written`: an operator says that a page was written. `checked`: asked again after the documents
 * changed; new text is quoted, but the answer is not sure. `answered`: closed with a quote.
 */
export const GAP_STATES = ['open', 'written', 'checked', 'answered'] as const;
export type GapState = (typeof GAP_STATES)[number];

/** Most gaps of one project and environment; further questions wait until old ones are removed. */
export const MAX_GAPS = 2_000;

/** A quote that answers a gap. */
export interface GapAnswer {
  readonly sectionId: string;
  /** Path of the document, not encoded. */
  readonly path: string;
  readonly title: string;
  readonly quote: string;
}

/** Questions about one subject that were not answered. */
export interface Gap {
  /** The id of its first question. */
  readonly id: string;
  /** Only questions of this scope are in it. */
  readonly scope: Scope;
  readonly state: GapState;
  /** Of the state (ms since the epoch). */
  readonly changedAt: number;
  /** The index that its questions were last asked on. */
  readonly generation: string;
  /** The quote of an answered gap, or the new text of a checked one. */
  readonly answer: GapAnswer | null;
  /** The claim that was made of it; '' for none. */
  readonly claimId: string;
}

/** A gap with the profiles of its first questions, to which others are compared. */
export interface ProfiledGap extends Gap {
  readonly profiles: readonly QuestionProfile[];
}

/** A question that belongs to a gap from now on. */
export interface Placement {
  readonly questionId: string;
  readonly gapId: string;
}

/** A first question that waits for a gap. */
export interface WaitingQuestion {
  readonly isUnanswered: boolean;
  readonly question: KeptQuestion;
  readonly profile: QuestionProfile;
}

/** From this similarity on, a question belongs to a gap: docs/gaps.md has how it was chosen. */
const JOIN_FROM = 0.5;
/** Questions of a gap that others are compared with. */
export const MAX_PROFILES = 5;

const newGap = ({ id, scope, askedAt, generation }: KeptQuestion): Gap => ({
  ...{ id, scope, state: 'open', changedAt: askedAt, generation, answer: null, claimId: '' },
});

/** Gaps that one question is compared with, those that share the most sections with it. */
export const MAX_COMPARED = 50;
/** Questions that are placed in one turn, so that other work goes on. */
const MAX_TURN = 20;

type Likeness = typeof questionLikeness;

/** The gaps that questions are compared with, by scope and by what is compared. */
class KnownGaps {
  private readonly all = new Map<string, ProfiledGap>();
  private readonly byPart = new Map<string, Set<string>>();

  constructor(
    gaps: readonly ProfiledGap[],
    private readonly likenessOf: Likeness,
  ) {
    for (const gap of gaps) this.set(gap, gap.profiles);
  }

  get size(): number {
    return this.all.size;
  }

  /** @param profiles  those of the gap that are new here */
  set(gap: ProfiledGap, profiles: readonly QuestionProfile[]): void {
    this.all.set(gap.id, gap);
    const key = scopeKey(gap.scope);
    for (const part of profiles.flatMap(comparedParts)) {
      const name = `${key}\n${part}`;
      const ids = this.byPart.get(name);
      if (ids) ids.add(gap.id);
      else this.byPart.set(name, new Set([gap.id]));
    }
  }

  /** The gap that a question is most alike; of equal ones, the first by id. */
  nearest({ question, profile }: WaitingQuestion): ProfiledGap | null {
    const alike = this.sharing(question.scope, profile)
      .flatMap((id) => this.all.get(id) ?? [])
      .map((gap) => ({ gap, likeness: this.likeness(profile, gap) }))
      .filter((each) => each.likeness >= JOIN_FROM)
      .sort((a, b) => b.likeness - a.likeness || (a.gap.id < b.gap.id ? -1 : 1));
    return alike[0]?.gap ?? null;
  }

  /** The gaps of a scope that share the most with a question; of equal ones, the first by id. */
  private sharing(scope: Scope, profile: QuestionProfile): string[] {
    const key = scopeKey(scope);
    const counts = new Map<string, number>();
    for (const part of comparedParts(profile))
      for (const id of this.byPart.get(`${key}\n${part}`) ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
    const most = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1));
    return most.slice(0, MAX_COMPARED).map(([id]) => id);
  }

  /** How much a question is about the subject of a gap: its mean similarity to the first questions of the gap. */
  private likeness(profile: QuestionProfile, { profiles }: ProfiledGap): number {
    const sum = profiles.reduce((total, each) => total + this.likenessOf(profile, each), 0);
    return profiles.length === 0 ? 0 : sum / profiles.length;
  }
}

/**
 * Puts questions into the gaps that they are most alike. Questions that were not answered make gaps of their own if they
 * are alike none. Only questions of one scope share a gap. The same questions in the same order give the same gaps.
 * @param waiting  in the order of asking
 * @param gaps  of all scopes, by id
 * @param likenessOf  compares two questions
 */
export async function placeQuestions(
  waiting: readonly WaitingQuestion[],
  gaps: readonly ProfiledGap[],
  likenessOf: Likeness = questionLikeness,
): Promise<{ readonly added: readonly Gap[]; readonly placements: readonly Placement[] }> {
  const known = new KnownGaps(gaps, likenessOf);
  const added: Gap[] = [];
  const placements: Placement[] = [];
  const unanswered = waiting.filter(({ isUnanswered }) => isUnanswered);
  const others = waiting.filter(({ isUnanswered }) => !isUnanswered);
  for (const [i, each] of [...unanswered, ...others].entries()) {
    if (i % MAX_TURN === MAX_TURN - 1) await setImmediate();
    const best = known.nearest(each);
    if (!best && (!each.isUnanswered || known.size >= MAX_GAPS)) continue;
    const gap = best ?? { ...newGap(each.question), profiles: [] };
    if (!best) added.push(newGap(each.question));
    const isKept = each.isUnanswered && gap.profiles.length < MAX_PROFILES;
    if (isKept) known.set({ ...gap, profiles: [...gap.profiles, each.profile] }, [each.profile]);
    placements.push({ questionId: each.question.id, gapId: gap.id });
  }
  return { added, placements };
}

/** A gap as operators see it. */
export interface GapView {
  readonly gap: Gap;
  /** The needs that count as not answered, oldest first. */
  readonly needs: readonly Need[];
}

/** Needs by the id of their gap; those without a gap are left out. */
export function needsByGap(needs: readonly Need[]): ReadonlyMap<string, readonly Need[]> {
  const byGap = rowsByKey(needs, ({ root }) => root.gap);
  byGap.delete('');
  return byGap;
}

/** Gaps with their questions, the most asked first, then the first asked; those without a question that still counts are left out. */
export function viewGaps(gaps: readonly Gap[], questions: readonly KeptQuestion[]): GapView[] {
  const byGap = needsByGap(collectNeeds(questions));
  const views = gaps.flatMap((gap) => {
    const needs = findUnanswered(byGap.get(gap.id) ?? []);
    return needs.length === 0 ? [] : [{ gap, needs }];
  });
  const firstAsked = ({ needs }: GapView): number => needs[0]?.root.askedAt ?? 0;
  return views.sort(
    (a, b) =>
      b.needs.length - a.needs.length || firstAsked(a) - firstAsked(b) || (a.gap.id < b.gap.id ? -1 : 1),
  );
}

/** The sections that a gap names: its answer, and those that were nearest to its questions. */
export const namedSections = ({ gap, needs }: GapView): string[] =>
  [
    gap.answer?.sectionId ?? '',
    ...needs.flatMap(({ asks }) => asks.map(({ nearestId }) => nearestId)),
  ].filter((id) => id !== '');

/** A gap without what it names of hidden documents. @param hidden  from `findHidden` */
export function withoutHidden({ gap, needs }: GapView, hidden: ReadonlySet<string>): GapView {
  const isHidden = (id: string): boolean => hidden.has(pagePath(id));
  const bare = (ask: KeptQuestion): KeptQuestion =>
    isHidden(ask.nearestId) ? { ...ask, nearestId: '', nearestTitle: '' } : ask;
  return {
    gap: gap.answer && isHidden(gap.answer.sectionId) ? { ...gap, answer: null } : gap,
    needs: needs.map(({ root, asks }) => ({ root: bare(root), asks: asks.map(bare) })),
  };
}

/** Longest example that is shown (UTF-16 units). */
const MAX_EXAMPLE = 200;
const MAX_EXAMPLES = 5;
const MAX_IDS = 100;

/** The facts of a gap, in the fields of `pith gaps --json`. Times are ISO-8601. */
export function gapFacts({ gap, needs }: GapView) {
  const { scope, answer } = gap;
  const asks = needs.flatMap((need) => need.asks);
  const times = asks.map(({ askedAt }) => askedAt);
  const texts = new Set(needs.flatMap((need) => [need.root.text, need.asks.at(-1)?.text ?? '']));
  const examples = [...texts].slice(0, MAX_EXAMPLES).map((text) => clipText(text, MAX_EXAMPLE));
  const missing = [...new Set(asks.map((ask) => ask.missing).filter((text) => text !== ''))];
  const nearest = asks.findLast(({ nearestId }) => nearestId !== '');
  const iso = (ms: number): string => new Date(ms).toISOString();
  return {
    gap_id: gap.id,
    state: gap.state,
    asked: needs.length,
    asks: asks.length,
    question_ids: needs.slice(0, MAX_IDS).map(({ root }) => root.id),
    agents: [...new Set(asks.map(({ agent }) => agent))].sort(),
    since: iso(Math.min(...times)),
    last_asked: iso(Math.max(...times)),
    state_since: iso(gap.changedAt),
    examples,
    missing: missing.slice(0, MAX_EXAMPLES).map((text) => clipText(text, MAX_EXAMPLE)),
    nearest: nearest ? { section_id: nearest.nearestId, title: nearest.nearestTitle } : null,
    add: adviceFor(examples[0] ?? '', missing[0], nearest),
    answer: answer && { section_id: answer.sectionId, title: answer.title, quote: answer.quote },
    claim_id: gap.claimId === '' ? null : gap.claimId,
    scope: {
      ...{ project_id: scope.projectId, environment: scope.environment, doc_tags: scope.docTags },
      ...{ repositories: scope.repositories, groups: scope.groups ?? [] },
    },
  };
}
export type GapFacts = ReturnType<typeof gapFacts>;

/** The page to write or to extend, in one line. */
function adviceFor(example: string, missing: string | undefined, nearest: KeptQuestion | undefined): string {
  const what = missing === undefined ? `answer “${example}”` : `say “${clipText(missing, MAX_EXAMPLE)}”`;
  const isFar = !nearest || nearest.verdict === 'unlikely';
  return isFar ? `Write a page or section: ${what}.` : `Add to “${nearest.nearestTitle}”: ${what}.`;
}

/** Another process has changed the gap. */
export function gapChanged(): InvalidArgumentError {
  return new InvalidArgumentError('The gap was changed meanwhile.', {
    reason: 'gap_changed',
    hint: 'Look at it again, and repeat the change if it still fits.',
  });
}

/** For a gap of another project, environment or scope, too. */
export function gapNotFound(): InvalidArgumentError {
  return new InvalidArgumentError('No gap has this id.', {
    reason: 'gap_not_found',
    hint: 'Run pith gaps or open /admin/gaps for the ids. Gaps whose questions are answered or removed disappear.',
  });
}
