import { createHash } from 'node:crypto';
import type { ApprovalWebhookConfig } from '../../config/settings/approval-webhook.config.js';
import type { Scope } from '../../core/scope.js';
import { type OutgoingMessage, WebhookSender } from '../../governance/approvals/webhook/send-webhook.js';
import type { WorkSpace } from '../work-space.js';
import { gapFacts, type GapView } from './gap.js';
import { GapsService } from './gaps.service.js';
import { type KeptQuestion, withinScopes } from './question.js';
import { QuestionStore } from './question-store.js';
import { mondayBefore, readNeeds, WEEK_MS } from './usage.js';

const HOUR_MS = 3_600_000;
/** Pauses after the first failed attempts (ms); then each is an hour. */
const PAUSES_MS = [30_000, 600_000] as const;
/** Gaps that a summary names. */
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

/** The message about a week: how many questions were asked and answered, which gaps closed, and the most asked that are open. */
export function summaryMessage(
  { space, monday, views, questions }: SummaryInput,
  linkBase: string,
): Pick<OutgoingMessage, 'id' | 'body'> {
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
}

/** Sends a summary of each week to the webhook of the operators, once for all servers of a store. */
export class WeeklySummary {
  private readonly sender: WebhookSender;
  private sending: Promise<void> = Promise.resolve();
  /** The week that this server took and has neither delivered nor given back, by the Monday after it. */
  private owed: { readonly server: Scope; readonly monday: number } | null = null;
  private failures = 0;
  private nextAt = 0;

  /** @param config  with a URL and a secret */
  constructor(
    private readonly config: ApprovalWebhookConfig,
    private readonly parts: SummaryParts,
  ) {
    this.sender = new WebhookSender(config, { ...parts, pausesMs: [] });
  }

  /**
   * Sends the summary of the last whole week, unless a server did. Not called again before it settles.
   * @param server  whose questions are summed up
   */
  sendDue(server: Scope, now: number): Promise<void> {
    if (now < this.nextAt || this.sender.isClosed) return Promise.resolve();
    this.sending = this.send(server, now);
    return this.sending;
  }

  /** Another server, or this one after a restart, sends what was not delivered. What a killed server took is not sent. */
  async close(): Promise<void> {
    this.sender.close();
    await this.sending.catch(() => undefined);
    await this.giveBack().catch(() => undefined);
  }

  private async send(server: Scope, now: number): Promise<void> {
    const monday = mondayBefore(now);
    const { store, onFailure } = this.parts;
    const isTaken = this.owed?.monday === monday || (await store.takeWeek(server, dayIn(monday)));
    // Another server that took it may give it back.
    if (!isTaken) this.nextAt = now + HOUR_MS;
    if (!isTaken) return;
    this.owed = { server, monday };
    const failure = await this.sender.attempt(await this.message(server, monday));
    const isRepeated = failure !== null && !failure.isFinal;
    this.nextAt = now + ((isRepeated && PAUSES_MS[this.failures]) || HOUR_MS);
    this.failures = failure ? this.failures + 1 : 0;
    if (failure && !this.sender.isClosed)
      onFailure(`the summary of gaps was not delivered: ${failure.problem}`);
    if (isRepeated) await this.giveBack();
    this.owed = null;
  }

  private async giveBack(): Promise<void> {
    if (!this.owed) return;
    const { server, monday } = this.owed;
    await this.parts.store.returnWeek(server, dayIn(monday), dayIn(monday - WEEK_MS));
  }

  private async message(server: Scope, monday: number): Promise<Pick<OutgoingMessage, 'id' | 'body'>> {
    const { store, gaps } = this.parts;
    const views = await gaps.list(server, null);
    const questions = (await store.list(server)).filter(withinScopes(server, null));
    return summaryMessage({ space: server, monday, views, questions }, this.config.linkBase);
  }
}
