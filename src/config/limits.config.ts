import { Count } from './setting.js';

/** Bounds on what one call and one caller may take. */
export class LimitsConfig {
  @Count('MAX_RESPONSE_BYTES', 'Lowers the byte ceiling of every tool result (bytes).', {
    min: 1024,
    max: 524_288,
  })
  maxResponseBytes = 524_288;

  @Count('MAX_TEXT_BYTES_PER_CALL', 'Most document text that one excerpt call returns (bytes).', {
    min: 256,
    max: 32_768,
  })
  maxTextBytesPerCall = 32_768;

  @Count('PITH_CALL_TIMEOUT_MS', 'Deadline of one call (ms).', { min: 100, max: 120_000 })
  callTimeoutMs = 10_000;

  @Count(
    'PITH_RATE_PER_MINUTE',
    'Calls that one caller may make a minute, in bursts too; 0 switches it off.',
    {
      min: 0,
      max: 10_000_000,
    },
  )
  ratePerMinute = 60_000;

  @Count('PITH_MAX_CONCURRENT_CALLS', 'Calls that one caller may have under way at once.', {
    min: 1,
    max: 10_000,
  })
  maxConcurrentCalls = 64;
}
