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
