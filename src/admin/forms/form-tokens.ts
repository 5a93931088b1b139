import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** How long a form can be sent after it was opened (ms); also if the clock has stepped back meanwhile. */
const LIFETIME_MS = 3_600_000;
const KEY_BYTES = 32;
const TOKEN = /^(\d{1,16})\.([\w-]{43})$/;

/** The form that a token is for. */
export interface FormFacts {
  readonly operator: string;
  /** The `Authorization` header with which the form was requested. */
  readonly credential: string;
  /** The path that the form is sent to. */
  readonly path: string;
}

/**
 * Tokens in forms that change something. Browsers also add the operator's credentials to requests of other pages;
 * those pages don't know the token.
 */
export class FormTokens {
  private readonly key: Uint8Array;

  /** @param secret  of the server @param now  milliseconds since the epoch */
  constructor(
    secret: string,
    private readonly now: () => number,
  ) {
    this.key = new Uint8Array(hkdfSync('sha256', secret, '', 'pith admin form', KEY_BYTES));
  }

  make(form: FormFacts): string {
    const at = this.now();
    return `${at}.${this.hmacOf(form, at).toString('base64url')}`;
  }

  /** True for a token that was made for this form, operator and credential in the last hour. */
  isValid(token: string, form: FormFacts): boolean {
    const [, time = '', given = ''] = TOKEN.exec(token) ?? [];
    const at = Number(time);
    if (given === '' || Math.abs(this.now() - at) > LIFETIME_MS) return false;
    return timingSafeEqual(Buffer.from(given, 'base64url'), this.hmacOf(form, at));
  }

  private hmacOf({ operator, credential, path }: FormFacts, at: number): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([operator, credential, path, at]))
      .digest();
  }
}
