import type { Scope } from '../../core/scope.js';
import { clipText } from '../../text/span.js';
import {
  collectNeeds,
  comparedSections,
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

/** Most groups of one project and environment; further questions wait until old ones are removed. */
export const MAX_GAPS = 2_000;

/** A quote that answers a group. */
export interface GapAnswer {
  readonly sectionId: string;
  /** Path of the document, not encoded. */
  readonly path: string;
  readonly title: string;
  readonly quote: string;
}

/** A group of questions about one subject that were not answered. */
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
  /** The quote of an answered group, or the new text of a checked one. */
  readonly answer: GapAnswer | null;
  /** The claim that was made of it; '' for none. */
  readonly claimId: string;
}

/** A group with the profiles of its first questions, to which others are compared. */
export interface ProfiledGap extends Gap {
  readonly profiles: readonly QuestionProfile[];
}

/** A question that belongs to a group from now on. */
export interface Placement {
  readonly questionId: string;
  readonly gapId: string;
}

/** A first question that waits for a group. */
export interface WaitingQuestion {
  readonly isUnanswered: boolean;
  readonly question: KeptQuestion;
  readonly profile: QuestionProfile;
}

/** From this similarity on, a question belongs to a group: docs/gaps.md has how it was chosen. */
const JOIN_FROM = 0.5;
/** Questions of a group that others are compared with. */
export const MAX_PROFILES = 5;

const newGap = ({ id, scope, askedAt, generation }: KeptQuestion): Gap => ({
  ...{ id, scope, state: 'open', changedAt: askedAt, generation, answer: null, claimId: '' },
});

/** The groups that questions are compared with, by the sections near them. */
class Groups {
  private readonly all = new Map<string, ProfiledGap>();
  private readonly bySection = new Map<string, Set<string>>();

  constructor(gaps: readonly ProfiledGap[]) {
    for (const gap of gaps) this.set(gap);
  }

  get size(): number {
    return this.all.size;
  }

  set(gap: ProfiledGap): void {
    this.all.set(gap.id, gap);
    for (const section of gap.profiles.flatMap(comparedSections)) {
      const ids = this.bySection.get(section);
      if (ids) ids.add(gap.id);
      else this.bySection.set(section, new Set([gap.id]));
    }
  }

  /** The group that a question is most alike; of equal ones, the first by id. */
  nearest({ question, profile }: WaitingQuestion): ProfiledGap | null {
    const key = scopeKey(question.scope);
    const ids = new Set(comparedSections(profile).flatMap((id) => [...(this.bySection.get(id) ?? [])]));
    const alike = [...ids]
      .flatMap((id) => this.all.get(id) ?? [])
      .filter(({ scope }) => scopeKey(scope) === key)
      .map((gap) => ({ gap, likeness: likeness(profile, gap) }))
      .filter((each) => each.likeness >= JOIN_FROM)
      .sort((a, b) => b.likeness - a.likeness || (a.gap.id < b.gap.id ? -1 : 1));
    return alike[0]?.gap ?? null;
  }
}

/** How much a question is about the subject of a group: its mean similarity to the first questions of the group. */
function likeness(profile: QuestionProfile, { profiles }: ProfiledGap): number {
  const sum = profiles.reduce((total, each) => total + questionLikeness(profile, each), 0);
  return profiles.length === 0 ? 0 : sum / profiles.length;
}

/**
 * Puts questions into the groups that they are most alike. Questions that were not answered make groups of their own if they
 * are alike none. Only questions of one scope share a group. The same questions in the same order give the same groups.
 * @param waiting  in the order of asking
 * @param gaps  of all scopes, by id
 */
export function placeQuestions(
  waiting: readonly WaitingQuestion[],
  gaps: readonly ProfiledGap[],
): { readonly added: readonly Gap[]; readonly placements: readonly Placement[] } {
  const groups = new Groups(gaps);
  const added: Gap[] = [];
  const placements: Placement[] = [];
  for (const each of waiting.filter(({ isUnanswered }) => isUnanswered)) {
    const best = groups.nearest(each);
    if (!best && groups.size >= MAX_GAPS) continue;
    const gap = best ?? { ...newGap(each.question), profiles: [] };
    if (!best) added.push(newGap(each.question));
    groups.set({ ...gap, profiles: [...gap.profiles, each.profile].slice(0, MAX_PROFILES) });
    placements.push({ questionId: each.question.id, gapId: gap.id });
  }
  for (const each of waiting.filter(({ isUnanswered }) => !isUnanswered)) {
    const best = groups.nearest(each);
    if (best) placements.push({ questionId: each.question.id, gapId: best.id });
  }
  return { added, placements };
}

/** A group as operators see it. */
export interface GapView {
  readonly gap: Gap;
  /** What counts as not answered, the first one first. */
  readonly needs: readonly Need[];
}

/** Groups with their questions, the most asked first; those without a question that still counts are left out. */
export function viewGaps(gaps: readonly Gap[], questions: readonly KeptQuestion[]): GapView[] {
  const byGap = new Map<string, Need[]>();
  for (const need of collectNeeds(questions)) {
    const { gap } = need.root;
    if (gap !== '') byGap.set(gap, [...(byGap.get(gap) ?? []), need]);
  }
  const views = gaps.flatMap((gap) => {
    const needs = findUnanswered(byGap.get(gap.id) ?? []);
    return needs.length === 0 ? [] : [{ gap, needs }];
  });
  return views.sort((a, b) => b.needs.length - a.needs.length || (a.gap.id < b.gap.id ? -1 : 1));
}

/** Longest example that is shown (UTF-16 units). */
const MAX_EXAMPLE = 200;
const MAX_EXAMPLES = 5;
const MAX_IDS = 100;

/** What is said about a group, in the fields of `pith gaps --json`. Times are ISO-8601. */
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

/** What to add, in one line. */
function adviceFor(example: string, missing: string | undefined, nearest: KeptQuestion | undefined): string {
  const what = missing === undefined ? `answer “${example}”` : `say “${clipText(missing, MAX_EXAMPLE)}”`;
  const isFar = !nearest || nearest.verdict === 'unlikely';
  return isFar ? `Write a page or section: ${what}.` : `Add to “${nearest.nearestTitle}”: ${what}.`;
}
