import { settingsFacts } from '../../../../src/admin/facts/settings-facts.js';
import { parseConfig } from '../../../../src/config/config.js';

const SECRETS = {
  PITH_ADMIN_TOKEN: 'admin-token-of-sixteen',
  PITH_HTTP_TOKEN: 'http-token-of-sixteen-characters',
  PITH_SECRET: 'a secret of at least thirty-two characters',
};

const factsOf = (environment: Record<string, string>) =>
  settingsFacts(parseConfig(environment)).flatMap(({ settings }) => settings);

describe('settingsFacts', () => {
  it('reports every setting with value, default, bounds and meaning', () => {
    const facts = factsOf({ PITH_HTTP_PORT: '9000' });
    expect(facts.length).toBeGreaterThan(45);
    expect(facts.find(({ name }) => name === 'PITH_HTTP_PORT')).toEqual({
      name: 'PITH_HTTP_PORT',
      value: 9_000,
      default: 7_484,
      is_default: false,
      takes: '0 to 65535',
      about: expect.stringContaining('Port'),
    });
  });

  it('reports only whether secrets are set', () => {
    const facts = factsOf(SECRETS).filter(({ name }) => name in SECRETS);
    expect(facts.map(({ value }) => value)).toEqual(['set', 'set', 'set']);
    expect(
      factsOf({})
        .filter(({ name }) => name in SECRETS)
        .map(({ value }) => value),
    ).toEqual(['empty', 'empty', 'empty']);
    const told = JSON.stringify(factsOf(SECRETS));
    expect(Object.values(SECRETS).filter((secret) => told.includes(secret))).toEqual([]);
  });

  it('removes user names and passwords from addresses', () => {
    const [endpoint] = factsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:pass@collector:4318/v1?key=abc',
    }).filter(({ name }) => name === 'OTEL_EXPORTER_OTLP_ENDPOINT');
    expect(endpoint?.value).toBe('https://***@collector:4318/v1?***');
  });
});
