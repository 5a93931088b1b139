import { type Request, type Response, urlencoded } from 'express';
import { AdminFailure } from '../admin-failure.js';

/** A note of 500 characters may take 6,000 bytes in a form. */
const MAX_BYTES = 16_384;
const MAX_FIELDS = 8;

/** True if a browser sent the request from one of our own pages. Browsers send `Origin` with every form. */
export function isFromOurPage({ headers }: Pick<Request, 'headers'>): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const isSameSite = site === undefined || site === 'same-origin';
  return isSameSite && origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
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
