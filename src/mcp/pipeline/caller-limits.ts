import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/settings/limits.config.js';
import { RateLimits } from './rate-limits.js';

/** The rate, the number of running calls and the time limit of each caller's calls. */
@Injectable()
export class CallerLimits extends RateLimits {
  readonly callTimeoutMs: number;

  constructor(config: LimitsConfig) {
    super(config, 'This caller');
    this.callTimeoutMs = config.callTimeoutMs;
  }
}
