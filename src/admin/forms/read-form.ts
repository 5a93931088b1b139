import { type Request, type Response, urlencoded } from 'express';
import { AdminFailure } from '../admin-failure.js';

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
export function readForm(request: Request, response: Response): Promise<unknown> {
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
