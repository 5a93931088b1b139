import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { viewsSchema } from '../../surface/views.js';

const MAX_ID = 512;
const MAX_NAME = 64;

const flag = z.object({}).optional();

/** The capabilities of a client that a session keeps: the requests that the client answers, and if it shows views. */
const capabilitiesSchema = z.object({
  elicitation: z
    .object({ form: flag, url: flag })
    // Before modes were introduced, `{}` stood for forms.
    .transform((modes) => (modes.form || modes.url ? modes : { form: {} }))
    .optional(),
  sampling: flag,
  roots: flag,
  extensions: viewsSchema.optional().catch(undefined),
});

const openingSchema = z.object({
  capabilities: capabilitiesSchema,
  /** Name and version of the client. */
  client: z.object({ name: z.string().max(MAX_NAME), version: z.string().max(MAX_NAME) }),
});

/** The declaration of a client that opens a session. */
export type Opening = z.infer<typeof openingSchema>;

const signedSchema = z.tuple([z.string(), openingSchema]);

/** Reads what `initialize` declares; what Pith does not use is left out. */
export function openingOf(params: unknown): Opening {
  const { capabilities, clientInfo }: Readonly<Record<string, unknown>> = Object(params);
  const { name, version }: Readonly<Record<string, unknown>> = Object(clientInfo);
  const short = (value: unknown): string => String(value ?? '').slice(0, MAX_NAME);
  return {
    capabilities: capabilitiesSchema.safeParse(capabilities).data ?? {},
    client: { name: short(name), version: short(version) },
  };
}

/**
 * Session ids of clients of 2025. An id holds what the client declared when it initialised, and is signed for its
 * principal. So the server keeps no sessions, and every replica with the same secret understands the id.
 */
export class SessionIds {
  /** @param secret  read at the first use */
  constructor(private readonly secret: () => string) {}

  /** Makes the id of a new session; null if the client declares too much for a header. */
  issue(principal: string, opening: Opening): string | null {
    const nonce = randomBytes(9).toString('base64url');
    const facts = Buffer.from(JSON.stringify([nonce, opening])).toString('base64url');
    const id = `${facts}.${this.sign(principal, facts)}`;
    return id.length <= MAX_ID ? id : null;
  }

  /** The declaration of the client of a session; null for an id that this server did not issue to the principal. */
  read(principal: string, id: string): Opening | null {
    const [facts = '', signature = '', ...more] = id.length <= MAX_ID ? id.split('.') : [];
    if (more.length > 0) return null;
    const given = Buffer.from(signature);
    const expected = Buffer.from(this.sign(principal, facts));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const signed: unknown = JSON.parse(Buffer.from(facts, 'base64url').toString('utf8'));
    return signedSchema.safeParse(signed).data?.[1] ?? null;
  }

  private sign(principal: string, facts: string): string {
    const text = `mcp-session\n${JSON.stringify([principal, facts])}`;
    return createHmac('sha256', this.secret()).update(text).digest().subarray(0, 18).toString('base64url');
  }
}
