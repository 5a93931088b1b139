import { BackendsConfig } from '../../src/config/settings/backends.config.js';
import { ModelsConfig } from '../../src/config/settings/models.config.js';

/** Settings of models; defaults except for the given ones. */
export function modelsConfig(models: Partial<ModelsConfig>): {
  models: ModelsConfig;
  backends: BackendsConfig;
} {
  return { models: Object.assign(new ModelsConfig(), models), backends: new BackendsConfig() };
}
