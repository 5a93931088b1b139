import { defaultTreeAdapter, type DefaultTreeAdapterTypes, type TreeAdapter } from 'parse5';
import { MalformedDocumentError } from '../parsed-document.js';

const TAG_NAME = /<[a-z][^\s/>]*/gi;
/** Each 200 characters of a name or of an unquoted value count as one attribute, so that one scan is short. */
const ATTRIBUTE = /[\s/]*[^\s/>][^\s/>=]{0,200}(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]{0,200})?)?/y;
/** Parsers compare each attribute of a tag with those before it. */
const MAX_ATTRIBUTES = 500;

/**
 * Counts whatever may be a tag, also in comments and scripts, since a scan by patterns can't tell where those end.
 * @throws MalformedDocumentError for a tag with too many attributes
 */
function countTags(html: string): number {
  let tags = 0;
  for (const tag of html.matchAll(TAG_NAME)) {
    tags++;
    ATTRIBUTE.lastIndex = tag.index + tag[0].length;
    let attributes = 0;
    while (ATTRIBUTE.test(html)) {
      attributes++;
      if (attributes > MAX_ATTRIBUTES) throw new MalformedDocumentError(1, 'a tag has too many attributes');
    }
  }
  return tags;
}

/** For each tag, parsers look at all open elements, and converters at all elements within. */
const MAX_DEPTH = 256;
const DEEP = 32;
const MAX_DEEP_ELEMENTS = 1000;

/**
 * A tree for one parse of a text, which stops when it is too deep or too large. Parsers of HTML open elements such as
 * `<b>` again in each paragraph until they are closed, so a short text can have a very large tree.
 * @param maxAdded  elements that the parser may add to those that are written
 * @throws MalformedDocumentError for a tag with too many attributes; the parse throws it for the others
 */
export function limitedTree(
  html: string,
  maxAdded: number,
): TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> {
  let depth = 0;
  let deep = 0;
  let left = countTags(html) + maxAdded;
  return {
    ...defaultTreeAdapter,
    createElement: (...element) => {
      left--;
      if (left < 0) throw new MalformedDocumentError(1, 'the HTML has too many unclosed elements');
      return defaultTreeAdapter.createElement(...element);
    },
    onItemPush: () => {
      depth++;
      if (depth > DEEP) deep++;
      if (depth > MAX_DEPTH || deep > MAX_DEEP_ELEMENTS) {
        throw new MalformedDocumentError(1, 'the HTML is nested too deeply');
      }
    },
    onItemPop: () => {
      depth--;
    },
  };
}
