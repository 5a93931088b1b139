import { Test } from '@nestjs/testing';
import { Config, parseConfig } from '../../../src/config/config.js';
import { ConfigModule } from '../../../src/config/config.module.js';
import { ServerSecret } from '../../../src/config/server-secret.js';
import { HttpConfig } from '../../../src/config/settings/http.config.js';
import { SECRET } from '../../support/builders.js';

const config = parseConfig({ PITH_HTTP_PORT: '1234', PITH_SECRET: SECRET });
const nest = Test.createTestingModule({ imports: [ConfigModule.register(config)] }).compile();

describe('ConfigModule', () => {
  it('provides all settings, and each group by its class', async () => {
    expect((await nest).get(Config)).toBe(config);
    expect((await nest).get(HttpConfig)).toBe(config.http);
  });

  it('provides the secret', async () => {
    expect((await nest).get(ServerSecret)).toEqual({ secret: SECRET, isLasting: true });
  });
});
