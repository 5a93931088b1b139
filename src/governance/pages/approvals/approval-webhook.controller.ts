import { Controller, HttpCode, Module, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AdminFilter } from '../../../admin/admin.filter.js';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { problemsText } from '../../../admin/admin-query.js';
import { ApprovalWebhookConfig } from '../../../config/settings/approval-webhook.config.js';
import { BackendUnavailableError } from '../../../core/errors.js';
import { type Clock, SYSTEM_CLOCK } from '../../../core/turns/clock.js';
import { bodyBytes, UnreadableBody } from '../../../mcp/http/body-bytes.js';
import { Credentials } from '../../../mcp/http/credentials.js';
import { addressOf } from '../../../mcp/http/request-facts.js';
import { OperatorDecisions } from '../../approvals/operator-decisions.js';
import { isSignedWebhook, type WebhookMessage } from '../../approvals/webhook/webhook-signature.js';

/** How much older or newer than now a message may be (ms). Standard Webhooks recommends five minutes. */
const TOLERANCE_MS = 300_000;
/**
 * Ids that are remembered; more messages in ten minutes are refused. Older ones are forgotten only to make room, because
 * a clock that steps back makes their messages recent again.
 */
const MAX_IDS = 10_000;
const ID = /^[\x21-\x7e]{1,256}$/;
const TIMESTAMP = /^\d{1,12}$/;

/** The parts of a request that are checked. Missing headers are ''. */
export interface SignedRequest {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
}

/** Why a message is refused: its signature, its time, the same id before, or too many messages. */
type WebhookRefusal = 'not_signed' | 'too_old' | 'repeated' | 'too_many';

/** Accepts each signed message once. */
export class WebhookInbox {
  /** When each id was accepted, oldest first (steady ms). */
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  /** Accepts a message and remembers its id. @returns null if it is accepted */
  accept(request: SignedRequest): WebhookRefusal | null {
    const { id, timestamp, signature, body } = request;
    const message: WebhookMessage = { id, timestamp: Number(timestamp), body };
    const isWellFormed = ID.test(id) && TIMESTAMP.test(timestamp);
    if (!isWellFormed || !isSignedWebhook(message, signature, this.secret)) return 'not_signed';
    const { now, steady } = this.clock;
    if (Math.abs(now() - message.timestamp * 1_000) > TOLERANCE_MS) return 'too_old';
    if (this.seen.has(id)) return 'repeated';
    const at = steady();
    if (this.seen.size >= MAX_IDS) this.forgetBefore(at - 2 * TOLERANCE_MS);
    if (this.seen.size >= MAX_IDS) return 'too_many';
    this.seen.set(id, at);
    return null;
  }

  /** Forgets an id, so that a message that could not be processed may be sent again. */
  forget(id: string): void {
    this.seen.delete(id);
  }

  private forgetBefore(time: number): void {
    for (const [id, at] of this.seen) {
      if (at >= time) return;
      this.seen.delete(id);
    }
  }
}

const MAX_BYTES = 8_192;

const decisionSchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,64}$/),
  decision: z.enum(['approve', 'reject']),
  decided_by: z.string().regex(/^[A-Za-z0-9][\w.@+-]{0,127}$/),
  note: z.string().max(2_048).default(''),
});

async function bodyOf(request: Request): Promise<Buffer> {
  try {
    return await bodyBytes(request, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    throw unreadable(`The body could not be read. It may have at most ${MAX_BYTES} bytes.`);
  }
}

const unreadable = (message: string): AdminFailure =>
  new AdminFailure('INVALID_ARGUMENT', message, 'docs/approvals.md describes the message.');

function decisionIn(body: Uint8Array): z.output<typeof decisionSchema> {
  const { success, data, error } = decisionSchema.safeParse(jsonOf(body));
  if (success) return data;
  throw unreadable(problemsText(error, 'message'));
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw unreadable('The body is not JSON.');
  }
}

const REFUSALS: Readonly<Record<Exclude<WebhookRefusal, 'not_signed'>, AdminFailure>> = {
  too_old: new AdminFailure(
    'UNAUTHORIZED',
    'The time of this message differs from that of the server by more than five minutes.',
    'Sign each attempt with the current time, and check the clocks.',
  ),
  repeated: new AdminFailure(
    'CONFLICT',
    'A message with this webhook-id was received before.',
    'Nothing needs to be done.',
  ),
  too_many: new AdminFailure('RATE_LIMITED', 'Too many messages.', 'Try again in ten minutes.'),
};

/** Receives decisions of other systems, signed as Standard Webhooks. */
@Controller('approvals/webhook')
@UseFilters(AdminFilter)
class ApprovalWebhookController {
  constructor(
    private readonly inbox: WebhookInbox,
    private readonly decisions: OperatorDecisions,
    private readonly credentials: Credentials,
  ) {}

  @Post()
  @HttpCode(200)
  async decide(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    response.setHeader('Cache-Control', 'no-store');
    const signed: SignedRequest = {
      id: request.get('webhook-id') ?? '',
      timestamp: request.get('webhook-timestamp') ?? '',
      signature: request.get('webhook-signature') ?? '',
      body: await bodyOf(request),
    };
    this.accept(signed, request);
    const { id, decision, decided_by: by, note } = decisionIn(signed.body);
    const verdict = decision === 'approve' ? 'approved' : 'rejected';
    try {
      const { state } = await this.decisions.decide(id, { by, via: 'webhook', verdict, note });
      return { id, state };
    } catch (error) {
      if (error instanceof BackendUnavailableError) this.inbox.forget(signed.id);
      throw error;
    }
  }

  /** @throws AdminFailure for messages that are not signed, too old or repeated @throws TooManyGuesses */
  private accept(signed: SignedRequest, request: Request): void {
    const refusal = this.inbox.accept(signed);
    if (refusal === null) return;
    if (refusal !== 'not_signed') throw REFUSALS[refusal];
    this.credentials.noteWrong(addressOf(request));
    throw new AdminFailure(
      'UNAUTHORIZED',
      'The signature of this message is missing or wrong.',
      'Sign it with PITH_APPROVAL_WEBHOOK_SECRET as Standard Webhooks says: webhook-id, webhook-timestamp, webhook-signature.',
    );
  }
}

/** `POST /approvals/webhook`. The server has it if PITH_APPROVAL_WEBHOOK_SECRET is set. */
@Module({
  controllers: [ApprovalWebhookController],
  providers: [
    {
      provide: WebhookInbox,
      inject: [ApprovalWebhookConfig],
      useFactory: ({ secret }: ApprovalWebhookConfig) => new WebhookInbox(secret, SYSTEM_CLOCK),
    },
  ],
})
export class ApprovalWebhookModule {}
