import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
/** Longer headers are refused. Rotation needs room for two signatures. */
const MAX_HEADER = 1_024;

/** A message as Standard Webhooks signs it. */
export interface WebhookMessage {
  /** `webhook-id`: the same for every attempt to deliver the message. */
  readonly id: string;
  /** `webhook-timestamp`: seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string | Uint8Array;
}

function hmacOf({ id, timestamp, body }: WebhookMessage, secret: string): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/**
 * Signs a message by the scheme of Standard Webhooks.
 * @param secret  `whsec_` and the key in base64
 * @returns the value of `webhook-signature`
 */
export function signWebhook(message: WebhookMessage, secret: string): string {
  return `v1,${hmacOf(message, secret).toString('base64')}`;
}

/** True if one of the signatures in a `webhook-signature` header is of the message. Takes the same time for every wrong one. */
export function isSignedWebhook(message: WebhookMessage, header: string, secret: string): boolean {
  if (header.length > MAX_HEADER) return false;
  const expected = hmacOf(message, secret);
  return header
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
