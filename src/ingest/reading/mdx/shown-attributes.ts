import { MARKDOWN_SPANS } from '../markdown-spans.js';
import type { JsxTag } from './scan-jsx-tag.js';

/** Attributes that name what the content of a tag describes, such as a parameter. */
const NAMING = /^(?:name|path|query|body|header|param(?:eter)?|field|prop|property|attribute|option|arg)$/;
/** With one of these, a tag describes something that has a name. */
const FACT = /^(?:type|required|default|optional|deprecated|format|since)$/;
/** Boolean attributes that describe a parameter; the others are for programs. */
const MARK =
  /^(?:required|optional|deprecated|nullable|experimental|internal|beta|(?:read|write)[-_]?only)$/i;
/** For programs, by the last word of the name: addresses, keys and choices of a design. */
const TECHNICAL = new Set(
  `class classname id key ref src srcset url uri href link path file icon style color colour variant size width height align
  alignment justify position placement direction orientation lang language theme to as is rel target loading role slot layout
  mode type kind level cols columns rows gap sx css fill stroke viewbox img image logo avatar video component element import
  from method format version date lines meta default query schema`.split(/\s+/),
);
/** Texts for readers, also of one word in lower case. */
const TEXT = new Set(
  `title label alt caption head header heading headline description summary text tip tooltip question answer cta badge
  message prompt tagline term note subtitle`.split(/\s+/),
);
/** An address, a file, a colour, a measure, or code. */
const NOT_TEXT =
  /^(?:[a-z][a-z\d+.-]*:\/?\/|[./~#@]|\S*\/\S*$|\S+\.[a-z]{2,5}\d?$|-?\d[\d.,]*\s?(?:px|r?em|%|v[hw]|fr|s|ms|deg)?$|(?:true|false|null)$|[{([<]|(?:var|rgba?|hsla?|calc|url)\()/i;
/** Trees of files show their names. */
const FILE_NAME = /^[\w.[\]()-]{1,80}\.[A-Za-z]{1,5}$/;
const MAX_TEXT_CHARS = 4000;

/** The texts of a tag that readers of the page see, one for each line. */
export function shownAttributes(tag: JsxTag): readonly string[] {
  if (tag.form === 'close') return [];
  const { alt = '' } = tag.attributes;
  if (tag.name === 'img') return [plain(alt)].filter(Boolean);
  if (!/^[A-Z]|\.[A-Z]/.test(tag.name)) return [];
  const entries = Object.entries(tag.attributes).flatMap(([key, value]) => {
    const text = plain(value);
    return text === '' || text.length > MAX_TEXT_CHARS ? [] : [[key, text] as const];
  });
  const naming = entries.find(([key, value]) => isNaming(tag, [key, value], entries));
  if (naming)
    return [
      recordLine(
        naming[1],
        entries.filter((entry) => entry !== naming),
      ),
    ];
  const shown = entries.filter(([key, value]) => isText(key, value)).map(([, value]) => value);
  const value = entries.find(([key]) => key === 'value')?.[1];
  // Tabs without a label show their value.
  return shown.length === 0 && value !== undefined && tag.form === 'open' && !NOT_TEXT.test(value)
    ? [value]
    : [...new Set(shown)];
}

const MAX_WORD = 40;
/** `groupId` is `id`, `ctaLabels` is `label`. */
const lastWord = (key: string): string =>
  (/[A-Z]?[a-z\d]+$/.exec(key.slice(-MAX_WORD))?.[0] ?? key).toLowerCase();
const isIn = (words: ReadonlySet<string>, key: string): boolean =>
  words.has(lastWord(key)) || words.has(lastWord(key).replace(/s$/, ''));
const isTechnical = (key: string): boolean =>
  /^on[A-Z]|[:@-]|[cC]lass(?:Names?|es)?$/.test(key) || isIn(TECHNICAL, key);

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

type Entry = readonly [key: string, value: string];

/** @param entries  all of the tag */
function isNaming(tag: JsxTag, [key, value]: Entry, entries: readonly Entry[]): boolean {
  if (!NAMING.test(key) || /\s/.test(value) || value === 'true' || /^(?:\.{0,2}\/|[a-z]+:\/\/)/.test(value))
    return false;
  return (
    entries.some(([other]) => FACT.test(other)) || (tag.form === 'open' && key !== 'header' && key !== 'path')
  );
}

/** A name with what is said of it: `size` (integer, required, default: 10): Number of rows. */
function recordLine(name: string, entries: readonly Entry[]): string {
  const facts = entries.flatMap(([key, value]) => {
    if (key === 'type') return [value];
    if (key === 'description' || (value === 'false' && key !== 'default')) return [];
    if (value === 'true' && key !== 'default') return MARK.test(key) ? [key] : [];
    return isFact(key) || isText(key, value) ? [`${key}: ${value}`] : [];
  });
  const type = entries.find(([key]) => key === 'type')?.[1];
  const ordered = type === undefined ? facts : [type, ...facts.filter((fact) => fact !== type)];
  const description = entries.find(([key]) => key === 'description')?.[1];
  const head = `${MARKDOWN_SPANS.code(name)}${ordered.length > 0 ? ` (${ordered.join(', ')})` : ''}`;
  return description === undefined ? head : `${head}: ${description}`;
}

const isFact = (key: string): boolean => FACT.test(key) || !isTechnical(key);

function isText(key: string, value: string): boolean {
  if (value === 'true' || value === 'false') return false;
  if (isIn(TEXT, key)) return !/^(?:[a-z]+:\/\/|\.{0,2}\/)\S*$/.test(value);
  if (key === 'name' && FILE_NAME.test(value)) return true;
  if (key === 'value' || isTechnical(key) || NOT_TEXT.test(value)) return false;
  return /\s/.test(value) || /^\p{Lu}/u.test(value) || (NAMING.test(key) && key !== 'name');
}
