import { Amount, Count, Gate, Text } from './setting.js';

const NAME = { takes: 'empty, or a name', pattern: /^[\w.:/@-]{0,128}$/ };

/** What inner_voice.retrieve does unless a call says otherwise. Wrong values here are mended, see `mendInnerVoice`. */
export class InnerVoiceConfig {
  @Gate('SURR_ENABLE_INNER_VOICE', 'Offer inner_voice.retrieve, which answers from imported memory.')
  isEnabled = false;

  @Amount(
    'SURR_INNER_VOICE_MIX',
    'Share of the knowledge graph among the snippets; the rest are thoughts. Wrong values are brought into range.',
    { min: 0, max: 1 },
  )
  mix = 0.6;

  @Count(
    'SURR_INNER_VOICE_TOPK_DEFAULT',
    'Snippets of a call that names no top_k. Wrong values are brought into range.',
    { min: 1, max: 50 },
  )
  topK = 10;

  @Amount(
    'SURR_INNER_VOICE_FLOOR',
    'Least similarity of a snippet in a call that names no floor. Wrong values are brought into range.',
    { min: 0, max: 1 },
  )
  floor = 0.25;

  @Amount(
    'SURR_INNER_VOICE_MIN_FLOOR',
    'How far the floor comes down for a source that would stay empty; neither 0 nor 1. Wrong values count as the default.',
    { min: 0, max: 1 },
  )
  minFloor = 0.15;

  @Count(
    'SURR_INNER_VOICE_MAX_CANDIDATES_PER_SOURCE',
    'Most rows of a table that are ranked. Less than the default top_k counts as three times that, or the default.',
    { min: 1, max: 10_000 },
  )
  maxCandidates = 150;

  @Text(
    'SURR_EMBED_PROVIDER',
    'What embeds queries. Empty, or pith: what comes with Pith. No other is there yet; with one, calls fail.',
    NAME,
  )
  embedProvider = '';

  @Text('SURR_EMBED_MODEL', 'Model of another embedder. Pith has its own.', NAME)
  embedModel = '';

  @Count('SURR_EMBED_DIM', 'Components of its vectors. Pith has its own.', { min: 0, max: 65_536 })
  embedDim = 0;
}
