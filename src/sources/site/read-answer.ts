import { pageAddress, type SiteFolder } from './page-address.js';
import { type PageContent, pageContent } from './page-content.js';
import { isNoindexHeader, markdownLinks, type PageFacts, readPageFacts } from './page-facts.js';
import { type WebAnswer, WebFailure } from './web-client.js';

/** The name of this program in robots.txt and in meta elements. */
export const AGENT = 'pith';

/** An answer as a page of a folder. */
export interface AnsweredPage extends PageFacts {
  /** After redirects. */
  readonly url: URL;
  readonly content: PageContent;
}

/** Statuses of pages that do not exist any more. Others can be passing. */
const GONE = [404, 410];

/**
 * Reads the answer for a page.
 * @returns with a canonical address only if it is one of the folder
 * @throws WebFailure for an answer that is no page of the folder
 */
export function readAnswer(answer: WebAnswer, folder: SiteFolder): AnsweredPage {
  const { status, headers } = answer;
  if (status !== 200) throw new WebFailure(`the site answered ${status}`, GONE.includes(status));
  const url = pageAddress(answer.url.href, answer.url, folder);
  if (!url) throw new WebFailure('it redirects out of the folder', true);
  const content = pageContent(answer);
  if (typeof content === 'string') throw new WebFailure(content);
  const facts = readContentFacts(content.bytes, content.extension, url);
  const isNoindex = facts.isNoindex || isNoindexHeader(String(headers['x-robots-tag'] ?? ''), AGENT);
  const canonical = facts.canonical && pageAddress(facts.canonical.href, url, folder);
  return { ...facts, url, content, isNoindex, canonical };
}

/** @param extension  of the file, such as `html` */
export function readContentFacts(bytes: Buffer, extension: string, url: URL): PageFacts {
  if (/^html?$/.test(extension)) return readPageFacts(bytes.toString('utf8'), url, AGENT);
  const hasLinks = /^(?:md|markdown|mdx|txt)$/.test(extension);
  const links = (): URL[] => (hasLinks ? markdownLinks(bytes.toString('utf8'), url) : []);
  return { links, canonical: null, refresh: null, isNoindex: false, generator: '' };
}
