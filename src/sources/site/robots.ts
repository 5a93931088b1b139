/** The rules of robots.txt for this program. */
export interface RobotsRules {
  /** @param path  with its query */
  readonly allows: (path: string) => boolean;
  /** Between two requests (ms); 0 for none. */
  readonly crawlDelayMs: number;
  /** Addresses as they are written. */
  readonly sitemaps: readonly string[];
}

/** Rules for a site without robots.txt. */
export const NO_RULES: RobotsRules = { allows: () => true, crawlDelayMs: 0, sitemaps: [] };

interface Rule {
  readonly isAllowed: boolean;
  /** Percent-encoded, with `*` and `$`. */
  readonly pattern: string;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  crawlDelayMs: number;
}

/** Further rules, and further characters of a pattern, are ignored. */
const MAX_RULES = 2_000;
const MAX_PATTERN_CHARS = 1_000;
const MAX_SITEMAPS = 100;

/**
 * Reads robots.txt (RFC 9309), with its extensions Crawl-delay and Sitemap.
 * @param agent  name of this program, in lower case. Its groups apply, or else those of `*`.
 */
export function parseRobots(text: string, agent: string): RobotsRules {
  const { groups, sitemaps } = readGroups(text);
  const named = groups.filter(({ agents }) => agents.includes(agent));
  const applied = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const rules = applied.flatMap((group) => group.rules).slice(0, MAX_RULES);
  return {
    allows: (path) => isAllowed(rules, encoded(path)),
    crawlDelayMs: Math.max(0, ...applied.map(({ crawlDelayMs }) => crawlDelayMs)),
    sitemaps: sitemaps.slice(0, MAX_SITEMAPS),
  };
}

function readGroups(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let isHead = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const [, name = '', value = ''] = /^\s*([A-Za-z-]+)\s*:([^#]*)/.exec(line) ?? [];
    const field = name.toLowerCase();
    if (field === 'sitemap') sitemaps.push(value.trim());
    else if (field === 'user-agent') {
      if (!isHead) groups.push({ agents: [], rules: [], crawlDelayMs: 0 });
      groups.at(-1)?.agents.push(value.trim().toLowerCase().replace(/\/.*/, ''));
      isHead = true;
    } else if (field !== '') isHead = !addRule(groups.at(-1), field, value.trim()) && isHead;
  }
  return { groups, sitemaps };
}

/** @returns false for a line that is not part of a group */
function addRule(group: Group | undefined, field: string, value: string): boolean {
  if (!/^(?:allow|disallow|crawl-delay)$/.test(field)) return false;
  if (!group) return true;
  if (field === 'crawl-delay') {
    group.crawlDelayMs = Math.max(0, 1_000 * Number(value) || 0);
  } else if (value !== '' && group.rules.length < MAX_RULES && value.length <= MAX_PATTERN_CHARS) {
    group.rules.push({ isAllowed: field === 'allow', pattern: encoded(value) });
  }
  return true;
}

/** The longest pattern that matches decides; of equal ones, the one that allows. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined;
  for (const rule of rules) {
    const length = rule.pattern.length - (best?.pattern.length ?? -1);
    if (length < 0 || (length === 0 && !rule.isAllowed)) continue;
    if (matches(rule.pattern, path)) best = rule;
  }
  return best?.isAllowed ?? true;
}

/** Compares without regular expressions, which take exponential time for many `*`. */
function matches(pattern: string, path: string): boolean {
  const isToEnd = pattern.endsWith('$');
  const [first = '', ...others] = (isToEnd ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  const last = isToEnd ? others.pop() : undefined;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isToEnd) return true;
  return last === undefined ? path.length === at : path.length - last.length >= at && path.endsWith(last);
}

/** Writes characters the same way in rules and paths: those that need no percent sign without one. */
function encoded(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(parseInt(code.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}
