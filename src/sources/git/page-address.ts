import { shownAddress } from '../read-address.js';
import type { GitSource } from '../source.js';

/** The commit that a page is of. */
interface PageRef {
  readonly shown: string;
  readonly isTag: boolean;
}

/** Where a forge shows a file. Branches, not commits: the address of a page stays when another page changes. */
const PAGES: readonly (readonly [host: RegExp, between: (ref: PageRef) => string])[] = [
  [/^github\./, ({ shown }) => `blob/${shown}`],
  [/^gitlab\./, ({ shown }) => `-/blob/${shown}`],
  [/^bitbucket\.org$/, ({ shown }) => `src/${shown}`],
  [
    /^(?:codeberg\.org|(?:gitea|forgejo)\..+)$/,
    ({ shown, isTag }) => `src/${isTag ? 'tag' : 'branch'}/${shown}`,
  ],
];

const HOST_AND_PATH =
  /^(?:(?:https?|ssh):\/\/)?(?:[\w.+-]+@)?([\w.-]+)(?::\d+(?=\/))?[:/](.+?)(?:\.git)?\/?$/i;

/** The address of a file of a repository: its page at the forge, or `ADDRESS#BRANCH:PATH`. @param path  in the repository */
export function pageAddress(source: GitSource, ref: PageRef, path: string): string {
  const [, host = '', repository = ''] = HOST_AND_PATH.exec(source.address) ?? [];
  const [, between] = PAGES.find(([pattern]) => pattern.test(host)) ?? [];
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  const isForge = between !== undefined && !source.address.startsWith('file:');
  if (!isForge) return `${shownAddress(source)}#${ref.shown}:${escaped}`;
  return `https://${host}/${repository.replace(/^\/+/, '')}/${between(ref)}/${escaped}`;
}
