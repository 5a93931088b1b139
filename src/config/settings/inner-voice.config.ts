import { Amount, Count, Gate, Text } from '../setting.js';

const NAME = { takes: 'empty, or a name', pattern: /^[\w.:/@-]{0,128}$/ };

/** Defaults of inner_voice.retrieve. Invalid values are corrected with a warning, see `correctInnerVoice`. */
export class InnerVoiceConfig {
  @Gate('SURR_ENABLE_INNER_VOICE', 'Offer inner_voice.retrieve, which searches imported memory.')
  isEnabled = false;

  @Amount(
    'SURR_INNER_VOICE_MIX',
    'Share of snippets from the knowledge graph; the rest are thoughts. Values out of range are clamped.',
    { min: 0, max: 1 },
  )
  mix = 0.6;

  @Count(
    'SURR_INNER_VOICE_TOPK_DEFAULT',
    'Number of snippets when a call gives no top_k. Values out of range are clamped.',
    { min: 1, max: 50 },
  )
  topK = 10;

  @Amount(
    'SURR_INNER_VOICE_FLOOR',
    'Minimum similarity of a snippet when a call gives no floor. Values out of range are clamped.',
    { min: 0, max: 1 },
  )
  floor = 0.08;

  @Amount(
    'SURR_INNER_VOICE_MIN_FLOOR',
    'Lowest floor used for a source that would otherwise return nothing; above 0 and below 1. Invalid values become 0.15.',
    { min: 0, max: 1 },
  )
  minFloor = 0.1;

  @Count(
    'SURR_INNER_VOICE_MAX_CANDIDATES_PER_SOURCE',
    'Maximum rows ranked per source. A value below the default top_k becomes three times top_k, or the default if that is more.',
    { min: 1, max: 10_000 },
  )
  maxCandidates = 150;

  @Text(
    'SURR_EMBED_PROVIDER',
    'Embedder of memory: pith (built in), openai, tei, ollama or onnx. Empty: the model of PITH_EMBEDDER, or pith if that is not a model. The URL and key are PITH_EMBED_URL and PITH_EMBED_API_KEY. Run `pith memory reembed` after changing it.',
    NAME,
  )
  embedProvider = '';

  @Text(
    'SURR_EMBED_MODEL',
    'Model that embeds memory; for onnx its folder. Empty: PITH_EMBED_MODEL, if the provider is the same.',
    {
      takes: 'empty, or a name',
      pattern: /^[^\p{Cc}]{0,1024}$/u,
    },
  )
  embedModel = '';

  @Count(
    'SURR_EMBED_DIM',
    'Expected vector dimensions; other lengths are refused. 0: the length of the first vector.',
    { min: 0, max: 8_192 },
  )
  embedDim = 0;
}
