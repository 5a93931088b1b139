const HARD_SPACE = '\u00a0';

/** `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** `1 section`, `2 sections`. */
export function formatPlural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Two or three digits; milliseconds below ten seconds, seconds from there on. */
export function formatMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)}${HARD_SPACE}s`;
  const digits = ms === 0 || ms >= 100 ? 0 : ms >= 10 ? 1 : 2;
  return `${ms.toLocaleString('en-US', { maximumFractionDigits: digits })}${HARD_SPACE}ms`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `12.3 KiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)}${HARD_SPACE}${UNITS[power] ?? ''}`;
}

/** `19%`; below one, `0.3%`. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  return `${percent.toFixed(percent > 0 && percent < 1 ? 1 : 0)}%`;
}

/** At most four decimal places. */
export function formatScore(score: number): string {
  return score.toLocaleString('en-US', { maximumFractionDigits: 4 });
}

/** `2026-01-31 14:05:09`, UTC. */
export function formatTime(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

/** `14:05`, UTC. */
export function formatClock(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

/** `3 d 4 h`, `12 min`, `9 s`: the two largest units at most. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first === -1) return `0${HARD_SPACE}s`;
  const shown = parts.slice(first, first + 2).filter(([amount]) => amount > 0);
  return shown.map(([amount, unit]) => `${amount}${HARD_SPACE}${unit}`).join(' ');
}

/** Encodes a text for use in a URL. */
export function inAddress(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
