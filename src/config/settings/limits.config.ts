import { Count } from '../setting.js';

/** Limits for one call and one caller. */
export class LimitsConfig {
  @Count('MAX_RESPONSE_BYTES', 'Lowers the size limit of every tool result (bytes).', {
    min: 1024,
    max: 524_288,
  })
  maxResponseBytes = 524_288;

  @Count('MAX_TEXT_BYTES_PER_CALL', 'Maximum document text in one excerpt call (bytes).', {
    min: 256,
    max: 32_768,
  })
  maxTextBytesPerCall = 32_768;

  @Count('PITH_CALL_TIMEOUT_MS', 'Timeout of one call (ms).', { min: 100, max: 120_000 })
  callTimeoutMs = 10_000;

  @Count(
    'PITH_RATE_PER_MINUTE',
    'Maximum calls per caller and minute, bursts included. 0 disables the limit.',
    { min: 0, max: 10_000_000 },
  )
  ratePerMinute = 60_000;

  @Count('PITH_MAX_CONCURRENT_CALLS', 'Maximum concurrent calls per caller.', { min: 1, max: 10_000 })
  maxConcurrentCalls = 64;
}
