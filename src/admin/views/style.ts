import { createHash } from 'node:crypto';
import { Html } from './html.js';
import { BASE_STYLE } from './style-base.js';
import { PARTS_STYLE } from './style-parts.js';

const TEXT = `${BASE_STYLE}${PARTS_STYLE}`;

/** What all pages are dressed in: the element as a whole, since its text is hashed to the letter. */
export const STYLE = Html.trusted(`<style>${TEXT}</style>`);

/** The one style sheet that the browser may apply, as `style-src` names it. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(TEXT).digest('base64')}`;
