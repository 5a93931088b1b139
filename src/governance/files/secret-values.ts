import { z } from 'zod';

/** A value that is read elsewhere: `env:NAME`, `file:PATH`, or one of them after a scheme, such as `Bearer env:NAME`. */
export const referenceSchema = z
  .string()
  .regex(
    /^(?:(?:Bearer|Basic|Token|ApiKey) )?(?:env:[A-Za-z_]\w{0,127}|file:.{1,4096})$/i,
    'write where the secret is: env:NAME or file:PATH',
  );

const SECRET_NAME =
  /authori[sz]ation|cookie|credential|passw(?:or)?d|passphrase|secret|token(?!i[sz])|(?:api|access|private|auth|account)[-_]?key/i;

/** True for names of headers, variables and parameters that usually hold a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Keys of this server and of well-known services, web tokens, PEM keys, HTTP credentials, and addresses with a password. */
const SECRET_VALUE =
  /(?<!\w)(?:pith_(?=[\w-]*[A-Z\d])[\w-]{16,}|whsec_|sk-[\w-]{16,}|sk_live_|gh[opsur]_\w{16,}|github_pat_|glpat-|xox[abprs]-|AKIA[A-Z\d]{12,}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.|Bearer\s+\S{8,}|Authorization:\s*\w+\s+\S{8,}|-----BEGIN )|:\/\/[^\s/@:]*:(?!\d{1,5}\/)[^\s@]+@/;

/** True for texts that look like a secret. */
export function looksLikeSecret(value: string): boolean {
  if (SECRET_VALUE.test(value)) return true;
  const option = /^--?([\w-]+)=(.+)$/.exec(value);
  return option !== null && isSecretName(option[1] ?? '');
}

/** Replaces a secret. */
const HIDDEN = '[secret]';
/** Shorter values occur in ordinary text. */
const MIN_HIDDEN = 4;

/** A value after the name of a secret: `password=…`, `api_key: …`, `"password": "…"`, also if its end is missing. */
const NAMED_SECRET =
  /([\w-]{1,64})(\\?["']?\s{0,3}(?:=>|=|:(?!:))\s{0,3})(?:"(?:[^"\\\n]|\\.){1,256}"|'(?:[^'\\\n]|\\.){1,256}'|\\?["']?[^\s"']{1,256})/g;
/** Names of passwords: any word may be one. Short ones are too frequent in the names of headers and settings for other uses. */
const PASSWORD_NAME = /(?:^|[-_])(?:pass|pwd)$|passw(?:or)?d|passphrase|secret(?![-_]?names?$)/i;
/** Names of a token or key, unlike `max_tokens` or `tokenizer`. */
const TOKEN_NAME = /(?:token|key|cookie|credentials?|authori[sz]ation)\d*$/i;
/** In a sentence, words may follow: `invalid token: unexpected`. */
const IN_SENTENCE = /^(?:token|cookie|credentials?|authori[sz]ation)$/i;
const AUTHORIZATION =
  /(authori[sz]ation["']?\s{0,3}[:=]\s{0,3}["']?(?:Bearer|Basic|Token|ApiKey|Digest)\s{1,20})(?![A-Za-z]{1,20}\W{0,3}(?:\s|$))[^\s"']{4,256}/gi;
/** A credential after its scheme, and a key in PEM. */
const AFTER_BEARER = /(?<=\bBearer\s{1,20})[^\s"']{8,}/gi;
const AFTER_BASIC = /(?<=\bBasic\s{1,20})[^\s"']{8,}/gi;
const PEM_KEY = /-----BEGIN [A-Z ]{1,40}-----(?:[^-]|-(?!----END)){0,8192}(?:-----END [A-Z ]{1,40}-----)?/g;

/** Punctuation or the end after a word of a sentence. */
const ENDING = /[?!.,;:]{0,3}$/;

/** A word, also of several such as `JavaScript`, an acronym, or a short number. */
const PLAIN_WORD = /^(?=.{1,20}$)(?:(?:[A-Z]{0,5}[a-z]{2,}){1,3}[A-Z]{0,5}|[A-Z]{1,12}|[a-z]|\d{1,6})$/;
const isPlain = (value: string): boolean =>
  value.split(/[\W_]+/).every((word) => word === '' || PLAIN_WORD.test(word));

/** True for a user with a password in Base64, which `Basic` goes before. */
const isUserInfo = (value: string): boolean => {
  const text = Buffer.from(value, 'base64').toString('latin1');
  return text.includes(':') && !Array.from(text).some((char) => char < ' ' || char === '\x7F');
};

/** True for the value of a secret. @param mark  between name and value */
function isNamedSecret(name: string, mark: string, value: string): boolean {
  if (value.length < MIN_HIDDEN && mark !== '=') return false;
  if (PASSWORD_NAME.test(name)) return true;
  if (!isSecretName(name) || value.length < MIN_HIDDEN) return false;
  if (!isPlain(value)) return true;
  return TOKEN_NAME.test(name) && (mark !== ': ' || /\d/.test(value) || !IN_SENTENCE.test(name));
}

/** Replaces what looks like a secret in a text of a person: keys, credentials, values after the name of a secret. */
export function hideSecrets(text: string): string {
  return text
    .replace(PEM_KEY, HIDDEN)
    .replace(AUTHORIZATION, `$1${HIDDEN}`)
    .replace(AFTER_BEARER, (value) => (isPlain(value) ? value : HIDDEN))
    .replace(AFTER_BASIC, (value) => (isPlain(value) || !isUserInfo(value) ? value : HIDDEN))
    .replace(NAMED_SECRET, (whole, name: string, mark: string) =>
      isNamedSecret(name, mark, whole.slice(name.length + mark.length)) ? name + mark + HIDDEN : whole,
    )
    .replace(/\S+/g, (word) => (SECRET_VALUE.test(word) ? HIDDEN + (ENDING.exec(word)?.[0] ?? '') : word));
}

/** The forms in which a value may be quoted: whole, without a scheme such as `Bearer`, by line, and encoded. */
function formsOf(value: string): string[] {
  const forms = [value, value.replace(/^\w+ /, ''), ...value.split('\n')].map((form) => form.trim());
  return forms.flatMap((form) => [
    form,
    encodeURIComponent(form.toWellFormed()),
    JSON.stringify(form).slice(1, -1),
  ]);
}

/** The values of the references of one provider. It remembers earlier values. */
export class KnownSecrets {
  /** Longest first, so that no part of one remains. */
  private forms: readonly string[] = [];

  /** @param given  as in the file @param resolved  with the values of references */
  add(given: Readonly<Record<string, string>>, resolved: Readonly<Record<string, string>>): void {
    const values = Object.entries(resolved).filter(([name, value]) => given[name] !== value);
    const forms = new Set([...this.forms, ...values.flatMap(([, value]) => formsOf(value))]);
    this.forms = [...forms].filter(({ length }) => length >= MIN_HIDDEN).sort((a, b) => b.length - a.length);
  }

  /** Replaces every value in a text. */
  hide(text: string): string {
    return this.forms.reduce((hidden, form) => hidden.replaceAll(form, HIDDEN), text);
  }
}
