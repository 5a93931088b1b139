import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/settings/limits.config.js';
import { RateLimits } from './rate-limits.js';

/** The rate and the number of running calls of each caller. */
@Injectable()
export class CallerLimits extends RateLimits {
  constructor(config: LimitsConfig) {
    super(config, 'This caller');
  }
}
