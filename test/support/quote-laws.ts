/** Lines that no quote may begin or end with, outside of code. Written apart from `src/text`, to find its gaps. */
const LINES: Readonly<Record<string, RegExp>> = {
  'a link definition': /^\[[^\]^][^\]]*\]:\s+\S/,
  'an image': /^(?:\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?\s*)+$/,
  'a template tag': /^(?:\{%.*%\}|\{\{[<%#].*\}\}|\{\*.*\*\}|\{:.*\}|\{\/\*.*\*\/\})$/,
  'an include': /^(?:-+8<-+|<<<\s|\[!INCLUDE\b)/,
  'the mark of a block': /^(?::::|!!! |\?\?\?|\/\/\/|=== ")/,
  'a tag': /^(?:<\/?[A-Za-z][\w.-]*(?:\s[^<>]*)?\/?>\s*)+$/,
  'a comment': /^<!--.*-->$/,
  'module code': /^import .*from ['"].*['"];?$/,
  // Below a lead-in, links are facts.
  'a list of links': /^(?:[-*]\s+)?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:<br\/?>)?$/,
};
/** An admonition says what the text below it is for: a quote may begin with its mark, but only with some of its text. */
const ADMONITION = /^(?:(?:::: ?|\/\/\/ )(?:note|tip)\b[^\n]*\n|!!! note [^\n]*\n\s*\n? {4})\s*\S/;

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'text' | 'code' | 'fence';
}

function readLines(text: string): Line[] {
  let at = 0;
  let open = '';
  return text.split('\n').map((line) => {
    const bare = line.replace(/^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*/, '').trimEnd();
    const marks = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(bare)?.[0] ?? '';
    const wasOpen = open !== '';
    if (!wasOpen) open = marks;
    else if (marks === bare && marks.startsWith(open)) open = '';
    const start = at;
    at += line.length + 1;
    const isFence = marks !== '' && (!wasOpen || open === '');
    return { text: line, start, end: at - 1, kind: isFence ? 'fence' : wasOpen ? 'code' : 'text' };
  });
}

export interface PlacedQuote {
  readonly quote: string;
  readonly passage_id: string;
  readonly section_id: string;
  readonly start_char: number;
}

/** The URI of the section of a quote in a reply. */
export const passageUri = (
  { passage_uri = '' }: { readonly passage_uri?: string },
  { passage_id }: Pick<PlacedQuote, 'passage_id'>,
): string => passage_uri.replace('{passage_id}', passage_id);

/** The laws that a quote of a section breaks. @param all  the quotes of the reply */
export function brokenQuoteLaws(section: string, placed: PlacedQuote, all: readonly PlacedQuote[]): string[] {
  const { quote, start_char: from } = placed;
  const to = from + quote.length;
  // An item further down may follow its lead-in after a gap.
  const isFollowed = all.some(
    ({ passage_id: id, start_char }) => id === placed.passage_id && start_char > to,
  );
  const lines = readLines(section);
  const first = lines.find(({ end }) => end > from);
  const last = lines.findLast(({ start }) => start < to);
  if (!first || !last) return ['is outside of its section'];
  const isCut = (line: Line, rest: string): boolean => line.kind === 'code' && /[^\s>]/.test(rest);
  const ends = (ADMONITION.test(quote) ? [last] : [first, last])
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text.replace(/^[\s>]+/, ''));
  const header = /^\|[^\n]*\|\s*$/.exec(quote);
  return [
    ...(isCut(first, section.slice(first.start, from)) ? ['begins in a line of code'] : []),
    ...(isCut(last, section.slice(to, last.end)) ? ['ends in a line of code'] : []),
    ...(first.kind === 'code' && /^[}\])]/.test(quote) ? ['begins with a closing bracket'] : []),
    ...Object.entries(LINES).flatMap(([law, line]) =>
      ends.some((end) => line.test(end.trimEnd())) && !(law === 'a list of links' && /:\n/.test(quote))
        ? [`begins or ends with ${law}`]
        : [],
    ),
    ...(header && /^[ \t]*\n[ \t]*\|[ \t|:-]*-/.test(section.slice(to))
      ? ['has a header without its separator']
      : []),
    ...(first.kind === 'text' && /^[\s>]*(?:[-*+]|\d+[.)])\s+$/.test(section.slice(first.start, from))
      ? ['has no mark of its list item']
      : []),
    ...(!isFollowed && isBareLeadIn(section.slice(to), quote) ? ['announces what it leaves out'] : []),
  ];
}

/** True if a quote ends with a colon and is followed by a list or code. */
function isBareLeadIn(rest: string, quote: string): boolean {
  return quote.endsWith(':') && /^\n+[\s>]*(?:[-*]\s|1\.\s|```|~~~)/.test(rest);
}
