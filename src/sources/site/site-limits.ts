import type { SpeedLimits } from '../guarded-request.js';

/** Limits of a crawl. What exceeds them is reported and not read. */
export interface SiteLimits extends SpeedLimits {
  readonly maxPages: number;
  readonly maxPageBytes: number;
  /** Of all answers, after decompression. */
  readonly maxTotalBytes: number;
  /** Links between the first page and another one. */
  readonly maxDepth: number;
  readonly totalMs: number;
  readonly maxRedirects: number;
  /** Requests at the same time; 1 if robots.txt asks for a delay. */
  readonly concurrency: number;
  /** Longest delay between requests that robots.txt can ask for (ms). */
  readonly maxCrawlDelayMs: number;
  /** Longest wait that an answer with Retry-After can ask for (ms). */
  readonly maxRetryAfterMs: number;
  readonly maxTries: number;
  /** The rest of a longer robots.txt is ignored (RFC 9309 asks for at least 500 KiB). */
  readonly maxRobotsBytes: number;
  readonly maxSitemaps: number;
  readonly maxSitemapBytes: number;
  /** Refusals that are listed; further ones are counted. */
  readonly maxRefusals: number;
}

export const SITE_LIMITS: SiteLimits = {
  maxPages: 5_000,
  maxPageBytes: 10_000_000,
  maxTotalBytes: 1_000_000_000,
  maxDepth: 20,
  totalMs: 3_600_000,
  idleMs: 15_000,
  graceMs: 20_000,
  minBytesPerSecond: 4_096,
  maxRedirects: 5,
  concurrency: 4,
  maxCrawlDelayMs: 10_000,
  maxRetryAfterMs: 60_000,
  maxTries: 3,
  maxRobotsBytes: 512_000,
  maxSitemaps: 50,
  maxSitemapBytes: 50_000_000,
  maxRefusals: 500,
};
