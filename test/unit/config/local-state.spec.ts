import { localState } from '../../../src/config/local-state.js';
import { BackendsConfig } from '../../../src/config/settings/backends.config.js';
import { IndexConfig } from '../../../src/config/settings/index.config.js';
import { InnerVoiceConfig } from '../../../src/config/settings/inner-voice.config.js';

const DATABASE = 'postgres://db.example.org/pith';

function settings({
  backends = {},
  isWhole = false,
  store = 'file',
}: {
  backends?: Partial<BackendsConfig>;
  isWhole?: boolean;
  store?: IndexConfig['store'];
}) {
  return {
    backends: Object.assign(new BackendsConfig(), { database: DATABASE, ...backends }),
    index: Object.assign(new IndexConfig(), { store }),
    innerVoice: Object.assign(new InnerVoiceConfig(), { isEnabled: isWhole }),
  };
}

describe('localState', () => {
  it('names passages that other replicas do not know', () => {
    const lines = localState(settings({ backends: { scratch: 'memory' } }));
    expect(lines).toEqual([expect.stringContaining('PITH_SCRATCH_ENGINE=memory')]);
  });

  it('is empty where everything is shared, or nothing is', () => {
    expect(localState(settings({}))).toEqual([]);
    expect(localState(settings({ backends: { scratch: 'redis' } }))).toEqual([]);
    expect(localState(settings({ backends: { database: '' }, isWhole: true }))).toEqual([]);
    expect(localState(settings({ store: 'database', isWhole: true }))).toEqual([]);
  });

  it('names memory if it is used', () => {
    const lines = localState(settings({ isWhole: true }));
    expect(lines).toEqual([expect.stringContaining('memory')]);
  });
});
