import type { Config } from './config.js';

/**
 * The folder of the indexes of named corpora. Indexes that the database does not name are removed after a while, so
 * servers with PITH_DATABASE and those without have one each.
 */
export function corporaFolder({ backends, domains }: Pick<Config, 'backends' | 'domains'>): string {
  return `${domains.workFile}.${backends.database === '' ? 'corpora' : 'shared-corpora'}`;
}

/** Describes the state that replicas do not share although they have PITH_DATABASE, each with advice; none without it. */
export function localState({
  backends,
  index,
  innerVoice,
}: Pick<Config, 'backends' | 'index' | 'innerVoice'>): string[] {
  if (backends.database === '') return [];
  const kept: (string | false)[] = [
    backends.scratch === 'memory' &&
      'passages are kept in this process. Leave out PITH_SCRATCH_ENGINE=memory, or send each caller to the same replica.',
    innerVoice.isEnabled &&
      index.store === 'file' &&
      'memory is in the index file. Set PITH_INDEX_STORE=database, or give every replica the same file.',
  ];
  return kept.filter((line) => line !== false);
}
