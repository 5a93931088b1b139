import { BUILT_IN_PROVIDER } from '../core/ports/memory-store.port.js';
import type { Environment } from './config.js';
import { settingsOf } from './setting.js';
import { InnerVoiceConfig } from './settings/inner-voice.config.js';
import { isModelProvider } from './settings/models.config.js';

/** Usable settings, with a warning for each change that was needed. */
export interface CorrectedSettings {
  readonly environment: Environment;
  readonly warnings: readonly string[];
}

interface Corrected {
  readonly value: string;
  /** Reason for the change; null if the value was kept. */
  readonly why: string | null;
}

const DEFAULTS = new InnerVoiceConfig();
/** Used if the configured minimum floor is not a number from 0 to 1. Source: the tool's specification. */
const MIN_FLOOR_FOR_WRONG = 0.15;
const OFF_WORDS = ['', '0', 'false', 'off', 'no'];

const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

function correctGate(text: string): Corrected {
  const word = text.trim().toLowerCase();
  if (word === '1') return { value: word, why: null };
  return { value: '0', why: OFF_WORDS.includes(word) ? null : 'only 1 turns it on' };
}

/** Clamps to the bounds; text that is not a number becomes the default. */
function correctNumber(
  text: string,
  byDefault: number,
  { min, max, isWhole }: { readonly min: number; readonly max: number; readonly isWhole: boolean },
): Corrected {
  const given = numberIn(text);
  if (Number.isNaN(given)) return { value: String(byDefault), why: 'it must be a number' };
  const within = Math.min(max, Math.max(min, given));
  const value = isWhole ? Math.round(within) : within;
  return { value: String(value), why: value === given ? null : 'it is out of range' };
}

function correctMinFloor(text: string): Corrected {
  const given = numberIn(text);
  if (given > 0 && given < 1) return { value: text, why: null };
  return { value: String(MIN_FLOOR_FOR_WRONG), why: 'it must be a number between 0 and 1' };
}

function correctTopK(text: string): Corrected {
  return correctNumber(text, DEFAULTS.topK, { min: 1, max: 50, isWhole: true });
}

function correctCandidates(text: string, topK: number): Corrected {
  const corrected = correctNumber(text, 0, { min: 0, max: 10_000, isWhole: true });
  if (Number(corrected.value) >= topK) return corrected;
  const value = String(Math.max(3 * topK, DEFAULTS.maxCandidates));
  return { value, why: 'it must be at least the default top_k' };
}

const SHARE = { min: 0, max: 1, isWhole: false };

const CORRECTIONS: Readonly<Record<string, (text: string, topK: number) => Corrected>> = {
  isEnabled: correctGate,
  mix: (text) => correctNumber(text, DEFAULTS.mix, SHARE),
  topK: correctTopK,
  floor: (text) => correctNumber(text, DEFAULTS.floor, SHARE),
  minFloor: correctMinFloor,
  maxCandidates: correctCandidates,
  embedDim: (text) => ({ value: text.trim() === '' ? '0' : text, why: null }),
};

/** Warns of an embedder that is not configured: it makes calls fail, but not the start-up. */
function embedderWarnings(environment: Environment): string[] {
  const given = (name: string): string => environment[name] ?? '';
  const [provider, documents] = [given('SURR_EMBED_PROVIDER'), given('PITH_EMBEDDER')];
  const fails = 'inner_voice.retrieve fails with embedder_unavailable.';
  const used = provider || (isModelProvider(documents) ? documents : BUILT_IN_PROVIDER);
  if (used === BUILT_IN_PROVIDER) {
    return ['SURR_EMBED_MODEL', 'SURR_EMBED_DIM']
      .filter((name) => given(name) !== '')
      .map((name) => `${name} has no effect on the built-in embedder: set SURR_EMBED_PROVIDER.`);
  }
  if (!isModelProvider(used))
    return [`There is no embedder called ${JSON.stringify(used.slice(0, 80))}: ${fails}`];
  const hasModel =
    given('SURR_EMBED_MODEL') !== '' || (documents === used && given('PITH_EMBED_MODEL') !== '');
  if (!hasModel) return [`SURR_EMBED_PROVIDER=${used} needs SURR_EMBED_MODEL; without it ${fails}`];
  const hasUrl = used !== 'tei' || given('PITH_EMBED_URL') !== '';
  return hasUrl ? [] : [`SURR_EMBED_PROVIDER=tei needs PITH_EMBED_URL; without it ${fails}`];
}

/**
 * Corrects the settings of `inner_voice.retrieve`. Its specification requires a warning in cases where other settings
 * would stop the start-up: values out of range are clamped, text that is not a number becomes the default, and only `1`
 * turns the tool on.
 */
export function correctInnerVoice(environment: Environment): CorrectedSettings {
  const settings = settingsOf(InnerVoiceConfig);
  const topKName = settings.get('topK')?.env ?? '';
  const topK = Number(correctTopK(environment[topKName] ?? String(DEFAULTS.topK)).value);
  const corrected: Record<string, string> = {};
  const warnings: string[] = [];
  for (const [property, { env }] of settings) {
    const text = environment[env];
    if (text === undefined) continue;
    const { value, why } = CORRECTIONS[property]?.(text, topK) ?? { value: text, why: null };
    corrected[env] = value;
    if (why !== null)
      warnings.push(`${env} is ${JSON.stringify(text.slice(0, 80))}, but ${why}. Pith uses ${value}.`);
  }
  if (environment['SURR_ENABLE_INNER_VOICE']?.trim() === '1') warnings.push(...embedderWarnings(environment));
  return { environment: { ...environment, ...corrected }, warnings };
}
