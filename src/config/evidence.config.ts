import { Choice, Text } from './setting.js';

/** Where evidence is taken from, and how. */
export class EvidenceConfig {
  @Text(
    'PITH_EVIDENCE_POOL',
    'Sections that quotes are taken from: how many, and at most how many of one document.',
    {
      takes: 'SECTIONSxPER_DOCUMENT, such as 8x3',
      pattern: /^(?:[1-9]|[1-4]\d|50)x(?:[1-9]|10)$/,
    },
  )
  pool = '8x3';

  @Choice(
    'PITH_SPAN_RERANKER',
    'How quotes are chosen: by what they cover of the question, or (none) by token overlap alone.',
    ['coverage', 'none'],
  )
  spanReranker: 'coverage' | 'none' = 'coverage';
}
