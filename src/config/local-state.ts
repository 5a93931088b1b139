import type { Config } from './config.js';

type Settings = Pick<Config, 'backends' | 'domains' | 'innerVoice'>;

/** What a server with PITH_DATABASE stores for itself all the same, and what to do about it. */
export function localState({ backends, domains, innerVoice }: Settings): string[] {
  if (backends.database === '') return [];
  const kept: (string | false)[] = [
    backends.scratch === 'memory' &&
      'passages are kept in this process. Set PITH_SCRATCH_ENGINE=redis, or send each caller to the same replica.',
    domains.offered.includes('knowledge') &&
      `indexes of named corpora are files of this server. Share the folder ${domains.workFile}.corpora among replicas.`,
    innerVoice.isEnabled && 'memory is in the index file. Give every replica the same file.',
  ];
  return kept.filter((line) => line !== false);
}
