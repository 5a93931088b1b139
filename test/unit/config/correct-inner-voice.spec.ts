import { type Environment, nearMisses, parseConfig } from '../../../src/config/config.js';
import { correctInnerVoice } from '../../../src/config/correct-inner-voice.js';

const read = (environment: Environment) => parseConfig(environment).innerVoice;
const warned = (environment: Environment) => correctInnerVoice(environment).warnings;

describe('the settings of inner_voice', () => {
  it('are off, mix 0.6, ten snippets, floor 0.08, minimum floor 0.1 and 150 candidates by default', () => {
    expect(read({})).toEqual({
      isEnabled: false,
      mix: 0.6,
      topK: 10,
      floor: 0.08,
      minFloor: 0.1,
      maxCandidates: 150,
      embedProvider: '',
      embedModel: '',
      embedDim: 0,
    });
    expect(warned({})).toEqual([]);
  });

  it.each([
    ['1', true, 0],
    [' 1 ', true, 0],
    ['0', false, 0],
    ['', false, 0],
    ['false', false, 0],
    ['true', false, 1],
    ['yes', false, 1],
    ['2', false, 1],
  ])('enable the tool only for 1: %j is %s, %d warnings', (value, isOn, warnings) => {
    expect(read({ SURR_ENABLE_INNER_VOICE: value }).isEnabled).toBe(isOn);
    expect(warned({ SURR_ENABLE_INNER_VOICE: value })).toHaveLength(warnings);
  });

  it.each<[string, string, keyof ReturnType<typeof read>, number]>([
    ['SURR_INNER_VOICE_MIX', '1.5', 'mix', 1],
    ['SURR_INNER_VOICE_MIX', '-0.1', 'mix', 0],
    ['SURR_INNER_VOICE_MIX', 'NaN', 'mix', 0.6],
    ['SURR_INNER_VOICE_MIX', 'Infinity', 'mix', 1],
    ['SURR_INNER_VOICE_MIX', '', 'mix', 0.6],
    ['SURR_INNER_VOICE_TOPK_DEFAULT', '0', 'topK', 1],
    ['SURR_INNER_VOICE_TOPK_DEFAULT', '51', 'topK', 50],
    ['SURR_INNER_VOICE_TOPK_DEFAULT', '2.6', 'topK', 3],
    ['SURR_INNER_VOICE_TOPK_DEFAULT', 'many', 'topK', 10],
    ['SURR_INNER_VOICE_FLOOR', '2', 'floor', 1],
    ['SURR_INNER_VOICE_FLOOR', '-1', 'floor', 0],
    ['SURR_INNER_VOICE_MIN_FLOOR', '0', 'minFloor', 0.15],
    ['SURR_INNER_VOICE_MIN_FLOOR', '1', 'minFloor', 0.15],
    ['SURR_INNER_VOICE_MIN_FLOOR', '-0.5', 'minFloor', 0.15],
    ['SURR_INNER_VOICE_MIN_FLOOR', 'low', 'minFloor', 0.15],
    ['SURR_INNER_VOICE_MAX_CANDIDATES_PER_SOURCE', '9', 'maxCandidates', 150],
    ['SURR_INNER_VOICE_MAX_CANDIDATES_PER_SOURCE', 'all', 'maxCandidates', 150],
    ['SURR_INNER_VOICE_MAX_CANDIDATES_PER_SOURCE', '1000000', 'maxCandidates', 10_000],
  ])('correct %s = %j, with a warning', (name, value, property, expected) => {
    expect(read({ [name]: value })[property]).toBe(expected);
    expect(warned({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  it.each<[string, string, keyof ReturnType<typeof read>, number]>([
    ['SURR_INNER_VOICE_MIX', '0', 'mix', 0],
    ['SURR_INNER_VOICE_MIX', '1', 'mix', 1],
    ['SURR_INNER_VOICE_TOPK_DEFAULT', '50', 'topK', 50],
    ['SURR_INNER_VOICE_MIN_FLOOR', '0.01', 'minFloor', 0.01],
    ['SURR_INNER_VOICE_MAX_CANDIDATES_PER_SOURCE', '10', 'maxCandidates', 10],
  ])('keep %s = %j unchanged', (name, value, property, expected) => {
    expect(read({ [name]: value })[property]).toBe(expected);
    expect(warned({ [name]: value })).toEqual([]);
  });

  it('raise the number of candidates to three times top_k if it is lower', () => {
    const settings = {
      SURR_INNER_VOICE_TOPK_DEFAULT: '50',
      SURR_INNER_VOICE_MAX_CANDIDATES_PER_SOURCE: '49',
    };
    expect(read(settings)).toMatchObject({ topK: 50, maxCandidates: 150 });
  });

  it.each([
    [{ SURR_EMBED_PROVIDER: 'openai', SURR_EMBED_MODEL: 'small', SURR_EMBED_DIM: '1536' }, []],
    [{ SURR_EMBED_PROVIDER: 'openai' }, ['needs SURR_EMBED_MODEL']],
    [{ SURR_EMBED_PROVIDER: 'tei', SURR_EMBED_MODEL: 'small' }, ['needs PITH_EMBED_URL']],
    [{ SURR_EMBED_PROVIDER: 'acme' }, ['no embedder called "acme"']],
    [{ PITH_EMBEDDER: 'ollama', PITH_EMBED_MODEL: 'small', SURR_EMBED_DIM: '384' }, []],
    [{ SURR_EMBED_MODEL: 'small', SURR_EMBED_DIM: '1536' }, ['SURR_EMBED_MODEL', 'SURR_EMBED_DIM']],
    [{ SURR_EMBED_PROVIDER: 'pith' }, []],
    [{ SURR_EMBED_PROVIDER: '', SURR_EMBED_MODEL: '', SURR_EMBED_DIM: '' }, []],
  ])('warn of unknown or incomplete embedders: %j', (environment, words) => {
    expect(warned({ ...environment, SURR_ENABLE_INNER_VOICE: '1' })).toEqual(
      words.map((word) => expect.stringContaining(word)),
    );
    expect(warned(environment)).toEqual([]);
  });

  it('treat an empty dimension as not set', () => {
    expect(read({ SURR_EMBED_DIM: '' }).embedDim).toBe(0);
  });

  it('do not change other settings', () => {
    expect(correctInnerVoice({ PITH_INDEX: 'x', OTHER: '2' })).toEqual({
      environment: { PITH_INDEX: 'x', OTHER: '2' },
      warnings: [],
    });
  });

  it('warn of names that are almost correct', () => {
    expect(nearMisses({ SURR_ENABLE_INNERVOICE: '1' })).toEqual([
      expect.stringContaining('SURR_ENABLE_INNER_VOICE'),
    ]);
  });
});

describe('MCP_NO_LOG', () => {
  it('is off by default and on with 1', () => {
    expect(parseConfig({}).server.noLog).toBe(false);
    expect(parseConfig({ MCP_NO_LOG: '1' }).server.noLog).toBe(true);
  });
});
