import type { Request, Response } from 'express';
import { type Principal, principalOf } from '../../mcp/principals.js';
import { AdminFailure } from '../admin-failure.js';
import { type Html, html, type Part } from '../views/html.js';
import type { FormFacts, FormTokens } from './form-tokens.js';
import { checkIsFromOurPage, readForm } from './read-form.js';

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
