import { InvalidArgumentError } from '../core/errors.js';
import { fetchFile } from './files/fetch-file.js';
import { fetchGit } from './git/fetch-git.js';
import type { FetchCopy } from './source-store.js';

/** Brings a source of any kind into a folder. */
export const fetchSource: FetchCopy = ({ source, ...request }, cache) => {
  switch (source.kind) {
    case 'git':
      return fetchGit({ ...request, source }, cache);
    case 'file':
    case 'archive':
      return fetchFile({ ...request, source }, cache);
    case 'site':
      throw new InvalidArgumentError('Sites are not read yet.', {
        reason: 'source_invalid',
        hint: 'Give a repository, an archive or a folder.',
      });
    case 'folder':
      throw new Error('a folder is indexed where it is');
  }
};
