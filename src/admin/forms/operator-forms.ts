import { type Request, type Response, urlencoded } from 'express';
import { type Principal, principalOf } from '../../mcp/principals.js';
import { AdminFailure } from '../admin-failure.js';
import { type Html, html, type Part } from '../views/html.js';
import type { FormFacts, FormTokens } from './form-tokens.js';

/** A note of 500 characters may take 6,000 bytes in a form. */
const MAX_BYTES = 16_384;
const MAX_FIELDS = 8;

/** @throws AdminFailure FORBIDDEN unless a browser sent the request from one of our own pages */
export function checkIsFromOurPage({ headers }: Pick<Request, 'headers'>): void {
  const { origin, host } = headers;
  const { 'sec-fetch-site': site = 'same-origin' } = headers;
  if (origin === undefined)
    throw new AdminFailure(
      'FORBIDDEN',
      'The form came without the header Origin, which browsers send. Nothing was changed.',
      'Use the form on the page, and a proxy that passes Origin. Programs decide with pith approvals or the webhook.',
    );
  if (site === 'same-origin' && URL.canParse(origin) && new URL(origin).host === host) return;
  throw new AdminFailure(
    'FORBIDDEN',
    'The form was sent from a page of another address: its Origin is not the Host of this request. Nothing was changed.',
    'Open the console again and use the form on its page. A proxy must pass the header Host unchanged.',
  );
}

/** The fields of a form that was sent. @throws AdminFailure INVALID_ARGUMENT */
function readForm(request: Request, response: Response): Promise<unknown> {
  if (!request.is('application/x-www-form-urlencoded'))
    throw new AdminFailure('INVALID_ARGUMENT', 'The request is not a form.', 'Use the form on the page.');
  const read = urlencoded({ extended: false, limit: MAX_BYTES, parameterLimit: MAX_FIELDS });
  return new Promise((resolve, reject) => {
    read(request, response, (error: unknown) => {
      if (error === undefined) return resolve(request.body);
      reject(new AdminFailure('INVALID_ARGUMENT', 'The form could not be read.', 'Shorten the note.'));
    });
  });
}

/** Unlike `no-referrer`, this lets browsers send `Origin` with forms. Pages with a form need it. */
export const FORM_REFERRER = 'same-origin';

/** The page that a form is on, and that it is sent to. */
export interface FormPlace {
  readonly path: string;
  /** The page in sentences, such as `the approval`. */
  readonly page: string;
  /** Documentation of the permission. */
  readonly docs: string;
}

/** The places of the forms about one kind of thing, such as `approvals`, by its id. */
export const placesIn =
  (folder: string, page: string) =>
  (id: string): FormPlace => ({ path: `/admin/${folder}/${id}`, page, docs: `docs/${folder}.md` });

const factsOf = (request: Request, { path }: FormPlace): FormFacts => ({
  operator: principalOf(request).name,
  credential: request.headers.authorization ?? '',
  path,
});

/** True for an operator who may decide. Others see the pages only. */
export const mayDecide = ({ permissions }: Principal): boolean => permissions.includes('approve');

/** The token for a form on a page that is requested. */
export const tokenFor = (tokens: FormTokens, request: Request, place: FormPlace): string =>
  tokens.make(factsOf(request, place));

/** Reads a form that a browser has sent from one of our pages. @throws AdminFailure FORBIDDEN, INVALID_ARGUMENT */
export async function readOurForm(request: Request, response: Response): Promise<unknown> {
  checkIsFromOurPage(request);
  return readForm(request, response);
}

/** @throws AdminFailure FORBIDDEN unless the form is from this page, and its operator may decide */
export function checkForm(
  { tokens, token }: { readonly tokens: FormTokens; readonly token: string },
  request: Request,
  place: FormPlace,
): void {
  if (!tokens.isValid(token, factsOf(request, place))) throw oldForm(place.page);
  if (!mayDecide(principalOf(request))) throw notPermitted(place.docs);
}

/** A form that changes something. @param token  of `tokenFor` */
export function decidingForm(path: string, token: string, fields: Part): Html {
  return html`<form method="post" action="${path}" class="decide">
    <input type="hidden" name="token" value="${token}" />
    ${fields}
  </form>`;
}

/** For operators who see a page but may not decide there. @param name  of the operator, as `seenName` shows it */
export const notPermittedNote = (name: Part): Html =>
  html`You are signed in as <strong>${name}</strong>, without the permission <code>approve</code>. To decide,
    sign in with a key that has it; the operator grants it in the access file.`;

function oldForm(page: string): AdminFailure {
  return new AdminFailure(
    'FORBIDDEN',
    'The page of this form was opened more than an hour ago, or by somebody else. Nothing was changed.',
    `Open the page of ${page} again and decide there.`,
  );
}

function notPermitted(docs: string): AdminFailure {
  return new AdminFailure(
    'FORBIDDEN',
    'You do not have the permission approve.',
    `Sign in as an operator who has it. See ${docs}.`,
  );
}
