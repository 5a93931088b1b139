import { Choice, Count, Text } from '../setting.js';

/** How evidence is selected. */
export class EvidenceConfig {
  @Text(
    'PITH_EVIDENCE_POOL',
    'Sections that quotes are taken from: the total, and the most from one document. Empty: 12x4, or 8x3 for a call that ' +
      'limits its quotes.',
    {
      takes: 'empty, or SECTIONSxPER_DOCUMENT, such as 12x4',
      pattern: /^$|^(?:[1-9]|[1-4]\d|50)x(?:[1-9]|10)$/,
    },
  )
  pool = '';

  @Count(
    'PITH_EVIDENCE_TOKENS',
    'The most tokens that kb.retrieve_evidence spends on quotes when a call sets no limits of its own, and half of it ' +
      'again for each further part that is likely to be answered.',
    { min: 100, max: 2_000 },
  )
  tokens = 650;

  @Choice(
    'PITH_SPAN_RERANKER',
    'How quotes are chosen: by how much of the question they cover, or, with none, by token overlap only.',
    ['coverage', 'none'],
  )
  spanReranker: 'coverage' | 'none' = 'coverage';
}
