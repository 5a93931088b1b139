import type { Environment } from './config.js';
import { InnerVoiceConfig } from './inner-voice.config.js';
import { settingsOf } from './setting.js';

/** Settings that can be used, and what had to be changed for that. */
export interface MendedSettings {
  readonly environment: Environment;
  readonly warnings: readonly string[];
}

interface Mended {
  readonly value: string;
  /** Why it could not stay; null when it could. */
  readonly why: string | null;
}

const DEFAULTS = new InnerVoiceConfig();
/** As SURR_EMBED_PROVIDER names the embedder that comes with Pith. */
const OWN_PROVIDERS = ['', 'pith'];
const OFF_WORDS = ['', '0', 'false', 'off', 'no'];

const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

function mendGate(text: string): Mended {
  const word = text.trim().toLowerCase();
  if (word === '1') return { value: word, why: null };
  return { value: '0', why: OFF_WORDS.includes(word) ? null : 'only 1 switches it on' };
}

/** The nearest value within bounds; what is no number becomes the default. */
function mendNumber(text: string, byDefault: number, isWhole: boolean, [min, max]: [number, number]): Mended {
  const given = numberIn(text);
  if (Number.isNaN(given)) return { value: String(byDefault), why: 'it takes a number' };
  const within = Math.min(max, Math.max(min, given));
  const value = isWhole ? Math.round(within) : within;
  return { value: String(value), why: value === given ? null : 'it is out of range' };
}

function mendMinFloor(text: string): Mended {
  const given = numberIn(text);
  if (given > 0 && given < 1) return { value: text, why: null };
  return { value: String(DEFAULTS.minFloor), why: 'it takes a number between 0 and 1' };
}

function mendCandidates(text: string, topK: number): Mended {
  const mended = mendNumber(text, 0, true, [0, 10_000]);
  if (Number(mended.value) >= topK) return mended;
  const value = String(Math.max(3 * topK, DEFAULTS.maxCandidates));
  return { value, why: 'it takes no less than the default top_k' };
}

function mendProperty(property: string, text: string, topK: number): Mended {
  switch (property) {
    case 'isEnabled':
      return mendGate(text);
    case 'mix':
    case 'floor':
      return mendNumber(text, DEFAULTS[property], false, [0, 1]);
    case 'topK':
      return mendNumber(text, DEFAULTS.topK, true, [1, 50]);
    case 'minFloor':
      return mendMinFloor(text);
    case 'maxCandidates':
      return mendCandidates(text, topK);
    case 'embedDim':
      return { value: text.trim() === '' ? '0' : text, why: null };
    default:
      return { value: text, why: null };
  }
}

/** Embedders of others come later; until then, what they would be told is told to nobody. */
function embedderWarnings(environment: Environment): string[] {
  const given = (name: string): boolean => (environment[name] ?? '') !== '';
  const provider = environment['SURR_EMBED_PROVIDER'] ?? '';
  if (!OWN_PROVIDERS.includes(provider))
    return [
      `There is no embedder called ${JSON.stringify(provider.slice(0, 80))} yet: while SURR_EMBED_PROVIDER names it, ` +
        'inner_voice.retrieve fails with embedder_unavailable.',
    ];
  return ['SURR_EMBED_MODEL', 'SURR_EMBED_DIM']
    .filter(given)
    .map(
      (name) => `${name} counts for nothing without SURR_EMBED_PROVIDER: the embedder of Pith has its own.`,
    );
}

/**
 * Makes settings of `inner_voice.retrieve` usable, since its contract asks for a warning where others refuse the start:
 * what is out of range is brought into it, what is no number becomes the default, and only 1 switches the tool on.
 */
export function mendInnerVoice(environment: Environment): MendedSettings {
  const settings = settingsOf(InnerVoiceConfig);
  const topKName = settings.get('topK')?.env ?? '';
  const topK = Number(mendProperty('topK', environment[topKName] ?? String(DEFAULTS.topK), 0).value);
  const mended: Record<string, string> = {};
  const warnings: string[] = [];
  for (const [property, { env }] of settings) {
    const text = environment[env];
    if (text === undefined) continue;
    const { value, why } = mendProperty(property, text, topK);
    mended[env] = value;
    if (why !== null)
      warnings.push(`${env} is ${JSON.stringify(text.slice(0, 80))}, but ${why}. It counts as ${value}.`);
  }
  if (environment['SURR_ENABLE_INNER_VOICE']?.trim() === '1') warnings.push(...embedderWarnings(environment));
  return { environment: { ...environment, ...mended }, warnings };
}
