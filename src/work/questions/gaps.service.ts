import { setImmediate } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { isBackendLost } from '../../core/errors.js';
import { findHidden, SectionIndex } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { EvidenceService } from '../../kb/evidence/evidence.service.js';
import { areAnswered, GapAsker, newQuote, type SecondAnswer } from './ask-again.js';
import {
  type Gap,
  gapChanged,
  type GapFacts,
  gapFacts,
  gapNotFound,
  type GapState,
  type GapView,
  MAX_PROFILES,
  namedSections,
  needsByGap,
  placeQuestions,
  viewGaps,
  type WaitingQuestion,
  withoutHidden,
} from './gap.js';
import { collectNeeds, isUnanswered, type Need, type QuestionProfile, withinScopes } from './question.js';
import { QuestionStore } from './question-store.js';

/** Questions without a gap that are looked at, the newest ones. */
const MAX_PLACED = 2_000;
/** Profiles that one statement reads. */
const MAX_READ = 500;
/** Wordings of a gap that are asked again, the newest ones. */
const MAX_ASKED = 4;
/** Gaps that are asked again in one turn, so that other work goes on. */
const MAX_TURN = 200;
interface Unplaced {
  readonly need: Need;
  readonly isUnanswered: boolean;
}

/** The questions that were compared with gaps, each with whether it was answered, and with which gaps. */
interface Tried {
  readonly gaps: string;
  readonly questions: ReadonlySet<string>;
}

const gapNames = (gaps: readonly Gap[]): string => JSON.stringify(gaps.map(({ id }) => id).sort());
const asTried = ({ need, isUnanswered }: Unplaced): string => JSON.stringify([need.root.id, isUnanswered]);

/** Puts the questions that were not answered into gaps, and asks them again after the documents have changed. */
@Injectable()
export class GapsService {
  private readonly log = new Logger('questions');
  private readonly asker: GapAsker;
  private tried: Tried = { gaps: '', questions: new Set() };

  constructor(
    private readonly store: QuestionStore,
    evidence: EvidenceService,
    private readonly index: SectionIndex,
  ) {
    this.asker = new GapAsker(evidence, index);
  }

  /**
   * The most asked gaps first.
   * @param server  gaps of scopes outside that of the server are left out
   * @param scope  of an operator, who sees the gaps of scopes within it; null for all
   */
  async list(server: Scope, scope: Scope | null): Promise<GapView[]> {
    const visible = (await this.store.gaps(server)).filter(withinScopes(server, scope));
    const views = viewGaps(visible, await this.store.list(server));
    if (scope === null) return views;
    const hidden = await findHidden(this.index, scope, views.flatMap(namedSections));
    return views.map((view) => withoutHidden(view, hidden));
  }

  /** Puts new questions into gaps, then asks gaps again that were not asked on this index. */
  async refresh(server: Scope, now: number): Promise<void> {
    await this.placeNew(server, now);
    const { generation } = await this.index.stamp();
    const gaps = await this.store.gaps(server);
    if (gaps.every((gap) => gap.generation === generation)) return;
    const old = (await this.list(server, null)).filter(({ gap }) => gap.generation !== generation);
    for (const view of old.slice(0, MAX_TURN)) await this.checkApart(view, { generation, changedAt: now });
  }

  /** The facts of gaps in some of the states, or in any, that were asked since a time (ISO-8601). */
  async facts(
    server: Scope,
    scope: Scope | null,
    { states, since = '' }: { readonly states?: readonly GapState[]; readonly since?: string },
  ): Promise<GapFacts[]> {
    const views = await this.list(server, scope);
    return views
      .filter(({ gap }) => states === undefined || states.includes(gap.state))
      .map(gapFacts)
      .filter(({ last_asked }) => last_asked >= since);
  }

  /** @throws InvalidArgumentError `gap_not_found`, also for a gap that this operator must not see */
  async find(server: Scope, scope: Scope | null, id: string): Promise<GapView> {
    const found = (await this.list(server, scope)).find(({ gap }) => gap.id === id);
    if (!found) throw gapNotFound();
    return found;
  }

  /** @throws InvalidArgumentError `gap_changed` */
  async mark({ gap }: GapView, state: GapState, now: number): Promise<void> {
    const change = { state, changedAt: now, ...(state === 'open' ? { answer: null } : {}) };
    if (!(await this.store.change(gap, change))) throw gapChanged();
  }

  private async placeNew(server: Scope, now: number): Promise<void> {
    const needs = collectNeeds(await this.store.list(server));
    const gaps = await this.store.gaps(server);
    await this.place(needs, gaps);
    // Somebody asked after it was answered, and was not helped.
    const byGap = needsByGap(needs);
    for (const gap of gaps.filter(({ state }) => state === 'answered')) {
      const later = (byGap.get(gap.id) ?? []).filter(({ root }) => root.askedAt > gap.changedAt);
      if (later.some(isUnanswered))
        await this.store.change(gap, { state: 'open', changedAt: now, answer: null });
    }
  }

  /** Places the newest questions without a gap, except those that these gaps were compared with before. */
  private async place(needs: readonly Need[], gaps: readonly Gap[]): Promise<void> {
    const unplaced = needs
      .filter(({ root }) => root.gap === '')
      .slice(-MAX_PLACED)
      .map((need) => ({ need, isUnanswered: isUnanswered(need) }));
    const names = new Set(unplaced.map(asTried));
    const known = this.tried.gaps === gapNames(gaps) ? this.tried.questions : new Set<string>();
    const fresh = unplaced.filter((each) => !known.has(asTried(each)));
    if (fresh.length === 0) return;
    const members = firstMembers(needs);
    const profiles = await this.profiles([
      ...fresh.map(({ need }) => need.root.id),
      ...[...members.values()].flat(),
    ]);
    const profiled = gaps.map((gap) => ({
      ...gap,
      profiles: (members.get(gap.id) ?? []).flatMap((id) => profiles.get(id) ?? []),
    }));
    const waiting = fresh.flatMap(({ need: { root }, isUnanswered }): WaitingQuestion[] => {
      const profile = profiles.get(root.id);
      return profile ? [{ question: root, profile, isUnanswered }] : [];
    });
    const { added, placements } = await placeQuestions(waiting, profiled);
    await this.store.place(added, placements);
    // Older questions that are like a new gap were not compared with it.
    const isWhole = added.length === 0 || fresh.length === unplaced.length;
    this.tried = { gaps: gapNames([...gaps, ...added]), questions: isWhole ? names : new Set() };
  }

  /** In parts, because the number of values of a statement has a limit, and so that other work goes on. */
  private async profiles(ids: readonly string[]): Promise<Map<string, QuestionProfile>> {
    const found = new Map<string, QuestionProfile>();
    for (let at = 0; at < ids.length; at += MAX_READ) {
      for (const [id, profile] of await this.store.profiles(ids.slice(at, at + MAX_READ)))
        found.set(id, profile);
      await setImmediate();
    }
    return found;
  }

  /** Checks a gap. If it can't be asked for another reason than a lost backend, the next index decides. */
  private async checkApart(view: GapView, at: Pick<Gap, 'generation' | 'changedAt'>): Promise<void> {
    try {
      await this.check(view, at);
    } catch (error) {
      if (isBackendLost(error)) throw error;
      this.log.debug(`a gap was not asked again: ${error instanceof Error ? error.name : 'unknown'}`);
      await this.store.change(view.gap, { generation: at.generation });
    }
  }

  private async check(view: GapView, at: Pick<Gap, 'generation' | 'changedAt'>): Promise<void> {
    const { gap } = view;
    const { generation } = at;
    if (gap.state === 'answered') {
      const isGone = gap.answer !== null && !(await this.asker.isQuoted(gap.scope, gap.answer));
      await this.store.change(gap, isGone ? { ...at, state: 'open', answer: null } : { generation });
      return;
    }
    const answers = await this.askAgain(view, at.changedAt);
    const quote = newQuote(answers);
    if (quote === null) await this.store.change(gap, await this.withoutNew(gap, at));
    else
      await this.store.change(gap, {
        ...at,
        state: areAnswered(answers) ? 'answered' : 'checked',
        answer: quote,
      });
  }

  /** How a gap that no new text was found for changes: it loses an answer that is no longer in its documents. */
  private async withoutNew(
    { scope, state, answer }: Gap,
    at: Pick<Gap, 'generation' | 'changedAt'>,
  ): Promise<Partial<Gap>> {
    if (answer === null || (await this.asker.isQuoted(scope, answer))) return { generation: at.generation };
    return { ...at, state: state === 'checked' ? 'open' : state, answer: null };
  }

  private async askAgain({ needs }: GapView, at: number): Promise<SecondAnswer[]> {
    const asked = needs.slice(-MAX_ASKED).flatMap(({ asks }) => asks.at(-1) ?? []);
    const profiles = await this.profiles(asked.map(({ id }) => id));
    const answers: SecondAnswer[] = [];
    for (const question of asked)
      answers.push(await this.asker.ask(question, profiles.get(question.id)?.near ?? [], at));
    return answers;
  }
}

/** The first questions of each gap that were not answered, by the id of the gap. */
function firstMembers(needs: readonly Need[]): ReadonlyMap<string, readonly string[]> {
  const firstIds = (all: readonly Need[]): string[] =>
    all
      .filter(isUnanswered)
      .slice(0, MAX_PROFILES)
      .map(({ root }) => root.id);
  return new Map([...needsByGap(needs)].map(([gap, all]) => [gap, firstIds(all)]));
}
