// src/config: every setting with its type, default and range; the only reader of the environment
import {
  type DynamicModule,
  type FactoryProvider,
  Global,
  type InjectionToken,
  Module,
} from '@nestjs/common';
import { ConfigModule as NestConfigModule, ConfigService } from '@nestjs/config';
import { Config, GROUPS } from './config.js';
import { ServerSecret, serverSecret } from './server-secret.js';

const setting = (provide: InjectionToken, name: string): FactoryProvider => ({
  provide,
  inject: [ConfigService],
  useFactory: (service: ConfigService) => service.getOrThrow(name),
});

const PROVIDERS = [
  ...Object.entries(GROUPS).map(([name, group]) => setting(group, name)),
  { provide: ServerSecret, inject: [Config], useFactory: serverSecret },
];

/** Settings, injected by class: one group such as `HttpConfig`, or `Config` for all of them. */
@Global()
@Module({})
export class ConfigModule {
  /** @param config  read and validated by the entry, before Nest is loaded */
  static register(config: Config): DynamicModule {
    const load = [() => ({ ...config })];
    const providers = [{ provide: Config, useValue: config }, ...PROVIDERS];
    return {
      module: ConfigModule,
      imports: [NestConfigModule.forRoot({ ignoreEnvFile: true, ignoreEnvVars: true, load })],
      providers,
      exports: providers,
    };
  }
}
