import { createHash } from 'node:crypto';
import type { ApprovalWebhookConfig } from '../../config/settings/approval-webhook.config.js';
import type { Scope } from '../../core/scope.js';
import { type OutgoingMessage, WebhookQueue } from '../../governance/approvals/webhook/send-webhook.js';
import type { WorkSpace } from '../work-space.js';
import { gapFacts, type GapView } from './gap.js';
import { GapsService } from './gaps.service.js';
import { type KeptQuestion, withinScopes } from './question.js';
import { QuestionStore } from './question-store.js';
import { mondayBefore, readNeeds, WEEK_MS } from './usage.js';

/** Pauses between the attempts (ms). */
const PAUSES_MS = [30_000, 600_000, 3_600_000] as const;
/** Groups that a summary names. */
const MAX_GAPS = 10;
const ID_LENGTH = 12;

const dayIn = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

interface SummaryInput {
  readonly space: WorkSpace;
  /** The Monday after the week (ms since the epoch). */
  readonly monday: number;
  readonly views: readonly GapView[];
  readonly questions: readonly KeptQuestion[];
}

/** The message about a week: how many questions were asked and answered, which groups closed, and the most asked that are open. */
export function summaryMessage(
  { space, monday, views, questions }: SummaryInput,
  linkBase: string,
): Omit<OutgoingMessage, 'until'> {
  const { projectId: project_id, environment } = space;
  const isInWeek = (at: number): boolean => at >= monday - WEEK_MS && at < monday;
  const needs = readNeeds(questions).filter(({ root }) => isInWeek(root.askedAt));
  const base = linkBase.replace(/\/+$/, '');
  const linkTo = (path: string) => (base === '' ? {} : { link: `${base}/admin/gaps${path}` });
  const open = views.filter(({ gap }) => gap.state !== 'answered');
  const data = {
    ...{ project_id, environment, week: dayIn(monday - WEEK_MS) },
    asked: needs.length,
    answered: needs.filter(({ isAnswered }) => isAnswered).length,
    closed: views.filter(({ gap }) => gap.state === 'answered' && isInWeek(gap.changedAt)).length,
    open: open.length,
    gaps: open.slice(0, MAX_GAPS).map((view) => {
      const { gap_id, state, asked, since, examples } = gapFacts(view);
      return { gap_id, state, asked, since, question: examples[0] ?? '', ...linkTo(`/${gap_id}`) };
    }),
    ...linkTo(''),
  };
  const place = createHash('sha256')
    .update(JSON.stringify([project_id, environment]))
    .digest('hex');
  const timestamp = new Date(monday).toISOString();
  return {
    id: `gaps_${dayIn(monday)}_${place.slice(0, ID_LENGTH)}`,
    body: JSON.stringify({ type: 'gaps.weekly', timestamp, data }),
  };
}

interface SummaryParts {
  readonly store: QuestionStore;
  readonly gaps: GapsService;
  /** Called with a sentence about a summary that was not delivered. */
  readonly onFailure: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pausesMs?: readonly number[];
}

/** Sends a summary of each week to the webhook of the operators, once for all servers of a store. */
export class WeeklySummary {
  private readonly queue: WebhookQueue;
  private last = '';

  /** @param config  with a URL and a secret */
  constructor(
    private readonly config: ApprovalWebhookConfig,
    private readonly parts: SummaryParts,
  ) {
    const limits = { maxSending: 1, maxWaiting: 10 };
    this.queue = new WebhookQueue(config, { pausesMs: PAUSES_MS, ...limits, ...parts });
  }

  /** Sends the summary of the last whole week, unless a server did. @param server  whose questions are summed up */
  async sendDue(server: Scope, now: number): Promise<void> {
    const monday = mondayBefore(now);
    const week = dayIn(monday);
    const { store, gaps, onFailure } = this.parts;
    if (week === this.last) return;
    const views = await gaps.list(server, null);
    const questions = (await store.list(server)).filter(withinScopes(server, null));
    const message = summaryMessage({ space: server, monday, views, questions }, this.config.linkBase);
    // Last, so that a failure before is tried again.
    if (await store.takeWeek(server, week)) {
      const onLost = (problem: string) => onFailure(`the summary of gaps was not delivered: ${problem}`);
      this.queue.add({ message: { ...message, until: monday + WEEK_MS }, onLost });
    }
    this.last = week;
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
