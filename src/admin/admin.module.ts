import type { Provider, Type } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { AdminApiController } from './admin-api.controller.js';
import { AdminPageController } from './admin-page.controller.js';
import { AdminParts } from './admin-parts.js';
import { IndexFactsService } from './facts/index-facts.service.js';
import { MetricsController } from './metrics.controller.js';
import { ReadinessService } from './facts/readiness.service.js';

interface Door {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
}

/**
 * Refuses one token for two doors: whoever may ask would then be an operator.
 * @throws InvalidConfigurationError
 */
export function checkAdminToken({ admin, http }: Pick<Config, 'admin' | 'http'>): void {
  if (admin.token === '' || admin.token !== http.token) return;
  throw new InvalidConfigurationError([
    'PITH_ADMIN_TOKEN and PITH_HTTP_TOKEN are the same. Choose another PITH_ADMIN_TOKEN.',
  ]);
}

/** The operator's door, to be added to the HTTP server's; without a token there is none. */
export function adminDoor(parts: AdminParts): Door {
  if (parts.config.admin.token === '') return { controllers: [], providers: [] };
  checkAdminToken(parts.config);
  return {
    // Pages last, since they answer whatever the others don't.
    controllers: [MetricsController, AdminApiController, AdminPageController],
    providers: [{ provide: AdminParts, useValue: parts }, ReadinessService, IndexFactsService],
  };
}
