import { markText } from './meaningful-marks.js';

/** How spans are written: as Markdown, or as their text only. */
export interface SpanWriter {
  readonly code: (text: string) => string;
  readonly link: (text: string, href: string) => string;
  readonly emphasis: (text: string, mark: '*' | '**') => string;
  /** Text whose element of HTML changes what it means. */
  readonly mark: (text: string, name: 'sup' | 'sub' | 'kbd') => string;
  readonly math: (text: string) => string;
}

export const PLAIN_SPANS: SpanWriter = {
  code: (text) => text,
  link: (text) => text,
  emphasis: (text) => text,
  mark: (text, name) => (name === 'sup' ? `^${text}` : text),
  math: (text) => text,
};

export const MARKDOWN_SPANS: SpanWriter = {
  code: (text) => {
    const content = text.replace(/\s*\n\s*/g, ' ');
    if (content.trim() === '') return content;
    if (!content.includes('`')) return `\`${content}\``;
    const runs = content.match(/`+/g) ?? [];
    const ticks = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length), 0) + 1);
    return `${ticks} ${content} ${ticks}`;
  },
  link: (text, href) => `[${text.replace(/[[\]]/g, '\\$&')}](${href.replace(/[()\\]/g, '\\$&')})`,
  emphasis: (text, mark) => `${mark}${text}${mark}`,
  mark: (text, name) => markText(name, text),
  math: (text) => `$${text}$`,
};

/** A block of code whose fence is longer than any in it; '' without code. */
export function codeBlock(code: string, language: string): string {
  if (code.trim() === '') return '';
  // Not spread into Math.max: a hostile text has more runs than a call may have arguments.
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/^\n+/, '').trimEnd()}\n${fence}`;
}
