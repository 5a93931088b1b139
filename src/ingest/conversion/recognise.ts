import { decodeLoosely } from '../reading/decode-source.js';

/** The formats of files that only their content tells. */
export const RECOGNISED = ['api', 'man', 'markup'] as const;

type Recognised = (typeof RECOGNISED)[number];

/** The bytes of a file that are read to recognise it; `more` if those of `few` do not decide. */
const HEAD_BYTES = { few: 4_096, more: 8_388_608 };

/** A format; null for a file of another format; undefined if later parts of the file decide. */
type Verdict = Recognised | null | undefined;

const API_KEY = /^(?:openapi|swagger|asyncapi)$/;
/** Keys that may stand before the version of OpenAPI or AsyncAPI, or before `$schema`: many programs sort the keys. */
const EARLY_KEY =
  /^(?:\$(?:id|comment|defs|anchor)|id|info|title|description|components|basePath|definitions|consumes|produces|externalDocs|host|channels|parameters|paths|properties|required|responses|schemes|security|securityDefinitions|servers|tags|type|webhooks|defaultContentType|jsonSchemaDialect|additionalProperties|allOf|anyOf|x-[\w-]{1,80})$/;
const VERSION = /^["']?\d+\.\d+/;
const JSON_SCHEMA = /^["']?https?:\/\/json-schema\.org\//;

/** A file with such a name is a JSON Schema if it has one of these keys. */
const SCHEMA_NAME = /\.(?:schema\.(?:json|ya?ml)|json-?schema)$/i;
const SCHEMA_KEY = /^(?:type|properties|items|enum|definitions|allOf|anyOf|oneOf|\$(?:schema|defs|ref))$/;

type Entry = readonly [key: string, value: string];

function isApiEntry([key, value]: Entry): boolean {
  return API_KEY.test(key) ? VERSION.test(value) : key === '$schema' && JSON_SCHEMA.test(value);
}

/** Recognises OpenAPI, AsyncAPI and JSON Schema, as JSON or YAML, by the keys of the outermost object. */
function judgeApi(head: string): Verdict {
  for (const entry of entriesIn(head)) {
    if (isApiEntry(entry)) return 'api';
    if (!EARLY_KEY.test(entry[0])) return null;
  }
  return /^\s*\[/.test(head) ? null : undefined;
}

/** Recognises JSON Schema in a file whose name says so. */
function judgeSchema(head: string): Verdict {
  const isSchema = Array.from(entriesIn(head)).some(([key]) => SCHEMA_KEY.test(key));
  return isSchema ? 'api' : judgeApi(head);
}

/** The entries of the outermost object; none of a list of JSON. */
function entriesIn(head: string): Iterable<Entry> {
  const [first = ''] = /\S/.exec(head) ?? [];
  if (first === '[') return [];
  return first === '{' ? jsonEntries(head) : yamlEntries(head);
}

/** The keys in the first column, with the starts of their values; '-' for an item of a list. */
function* yamlEntries(head: string): Generator<Entry> {
  const line = /^(?:["']([^"'\n]{1,100})["']|([\w$][\w$.-]{0,100})|(-)(?= ))(?:[ \t]*:[ \t]*(\S{0,80}))?/gm;
  for (const [, quoted, bare, item, value = ''] of head.matchAll(line))
    yield [quoted ?? bare ?? item ?? '', value];
}

/** The keys of the outermost object, with its texts; '' for other values. */
function* jsonEntries(head: string): Generator<Entry> {
  let depth = 0;
  let key = '';
  const marks = /["{}[\],:]/g;
  for (let mark = marks.exec(head); mark; mark = marks.exec(head)) {
    const { 0: char, index } = mark;
    const end = char === '"' ? endOfText(head, index + 1) : index;
    if (end < 0) return;
    marks.lastIndex = end + 1;
    if (depth === 1 && char === '"') {
      const text = head.slice(index + 1, end);
      if (key !== '') yield [key, text];
      key = key === '' ? text : '';
      continue;
    }
    if (depth === 1 && key !== '' && char !== ':') {
      yield [key, ''];
      key = '';
    }
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
  }
}

/** The place of the quotation mark that ends a text; negative without one. */
function endOfText(json: string, from: number): number {
  const marks = /["\\]/g;
  marks.lastIndex = from;
  for (let mark = marks.exec(json); mark; mark = marks.exec(json)) {
    if (mark[0] === '"') return mark.index;
    marks.lastIndex = mark.index + 2;
  }
  return -1;
}

/** Recognises a manual page by the macro that names it, which definitions may come before. */
function judgeMan(head: string): Verdict {
  if (/^[.'][ \t]*(?:TH|Dd)\b/m.test(head)) return 'man';
  return /^\s*[.'\\]/.test(head) ? undefined : null;
}

/** The outermost elements of DocBook, of DITA and of an export of MediaWiki. */
const XML_ROOT =
  /^(?:mediawiki|article|book|chapter|section|sect1|appendix|part|preface|refentry|reference|set|topic|task|concept|dita|glossentry|glossgroup|troubleshooting)$/;
/** An element that other formats name so too is one of DocBook by its namespace, version or document type. */
const XML_FACTS = /docbook|dita|xml:id=|<title\b|<mediawiki\b|<\w+info\b/i;

/** Recognises documents in XML by their outermost element. */
function judgeXml(head: string): Verdict {
  // Texts of entities may have elements.
  const text = head.replace(
    /<!--[^]*?(?:-->|$)|<\?[^]*?(?:\?>|$)|<!ENTITY(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*/g,
    '',
  );
  const [, root] = /<([A-Za-z][\w.:-]{0,60})/.exec(text) ?? [];
  if (root === undefined) return undefined;
  return XML_ROOT.test(root.replace(/^.*:/, '')) && XML_FACTS.test(text) ? 'markup' : null;
}

const MAN_EXTENSION = /^(?:[1-8][a-z]{0,10}|man|mdoc)$/;

/** By extension in lower case: what decides about files with it. */
const JUDGES: ReadonlyMap<string, (head: string) => Verdict> = new Map([
  ['json', judgeApi],
  ['yaml', judgeApi],
  ['yml', judgeApi],
  ['xml', judgeXml],
  ['dita', judgeXml],
  ['dbk', judgeXml],
  ['docbook', judgeXml],
]);

function judgeFor(path: string): ((head: string) => Verdict) | undefined {
  if (SCHEMA_NAME.test(path)) return judgeSchema;
  const extension = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return MAN_EXTENSION.test(extension) ? judgeMan : JUDGES.get(extension);
}

/** True for a file that may be a document, depending on its content. */
export const mayBeRecognised = (path: string): boolean => judgeFor(path) !== undefined;

/**
 * The format of a file that only its content tells; null for another file.
 * @param read  reads a number of bytes from the start of the file
 */
export function recognise(path: string, read: (bytes: number) => Uint8Array): Recognised | null {
  const judge = judgeFor(path);
  if (!judge) return null;
  const verdict = judge(decodeLoosely(read(HEAD_BYTES.few)));
  if (verdict !== undefined) return verdict;
  return judge(decodeLoosely(read(HEAD_BYTES.more))) ?? null;
}
