import { z } from 'zod';
import { isLoopback } from '../../../mcp/http/http-security.js';
import { referenceSchema } from '../../files/secret-values.js';
import { toolPatterns } from '../../policy/policy-rule.js';

/** Algorithms with a public key. All others are refused: `none`, and those like HS256, where both sides know the key. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

const MAX_ISSUERS = 16;
const MAX_SCOPES = 64;

/** True for https, and for http on this machine; without user and fragment. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  const isPlain = protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''));
  return (protocol === 'https:' || isPlain) && username + password + hash === '';
}

const url = z
  .string()
  .max(2_048)
  .refine(isSafeUrl, 'use an https:// address without user and fragment; http:// only on this machine');

/** An address that is also an identifier, which is compared as it is written. */
const identifier = url.refine((text) => !text.includes('?'), 'use an address without query');
/** Sent in a header. */
const visible = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,2048}$/, 'use visible ASCII without quotes and backslashes');

const introspectionSchema = z
  .strictObject({
    endpoint: url.optional(),
    client_id: z.string().min(1).max(256),
    client_secret: referenceSchema.describe('Where the secret is: env:NAME or file:PATH.'),
  })
  .describe(
    'Asks the server about tokens that are no JWT (RFC 7662). Default of `endpoint`: as in its metadata.',
  );

const issuerSchema = z.strictObject({
  issuer: identifier.describe('The `iss` of its tokens, exactly as it writes it.'),
  jwks_uri: url.optional().describe('Address of its keys. Default: as in its metadata.'),
  algorithms: z
    .array(z.enum(ALGORITHMS))
    .min(1)
    .max(ALGORITHMS.length)
    .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
    .describe('Accepted signature algorithms.'),
  introspection: introspectionSchema.optional(),
});

/** A scope as in RFC 6749: visible ASCII without quotes and backslashes. */
const scopeName = z
  .string()
  .regex(
    /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/,
    'a scope is visible ASCII without spaces, quotes and backslashes',
  );

/** The part `oauth` of an access file. */
export const oauthSchema = z
  .strictObject({
    resource: identifier
      .refine((text) => /^[\x21-\x7e]*[^/]$/.test(text), 'use ASCII, and no slash at the end')
      .describe('The address of /mcp that clients use, such as https://docs.example.com/mcp.'),
    audiences: z
      .array(visible)
      .min(1)
      .max(16)
      .optional()
      .describe('Accepted values of `aud`. Default: `resource`.'),
    issuers: z.array(issuerSchema).min(1).max(MAX_ISSUERS).describe('Authorization servers.'),
    clock_tolerance_s: z.int().min(0).max(600).default(30).describe('Allowed difference of clocks (s).'),
    scopes: z
      .record(scopeName, toolPatterns)
      .refine((scopes) => Object.keys(scopes).length <= MAX_SCOPES, `at most ${MAX_SCOPES} scopes`)
      .default({})
      .describe(
        'Names or patterns of the tools that need a scope, by scope. A scope with "*" is needed for every request.',
      ),
  })
  .describe('Accepts access tokens of authorization servers (OAuth 2.1).');

export type OAuth = z.output<typeof oauthSchema>;
export type Issuer = OAuth['issuers'][number];

const claimValue = z.union([z.string().min(1).max(1_024), z.boolean()], 'use a text, true or false');

/** Claims that the token of a principal must have. */
export const claimsSchema = z
  .record(
    z.string().min(1).max(256),
    z.union(
      [claimValue, z.array(claimValue).min(1).max(64)],
      'use a text, true or false, or a list of these',
    ),
  )
  .refine((claims) => Object.keys(claims).length > 0, 'name at least one claim')
  .refine((claims) => Object.keys(claims).length <= 16, 'at most 16 claims')
  .describe('Claims that a token must have, all of them: each with its value, or one value of the list.');

export type WantedClaims = z.output<typeof claimsSchema>;
