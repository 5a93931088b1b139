import { withoutPayloads } from '../../../../src/ingest/reading/embedded-bytes.js';
import { readerFor } from '../../../../src/ingest/reading/readers.js';

const BYTES = 'R0lGODlhAQABAIAAAP'.repeat(300);

const read = async (text: string, path = 'a.md') => {
  const document = await (await readerFor(path))?.(text);
  return (document?.blocks ?? []).map((block) => ('text' in block ? block.text : block.title)).join('\n');
};

describe('withoutPayloads', () => {
  it.each([
    ['a picture', `![a](data:image/gif;base64,${BYTES})`],
    ['a picture with parameters', `url(data:image/svg+xml;charset=utf-8;base64,${BYTES})`],
    ['a picture over several lines', `data:image/gif;base64,\n${`${BYTES.slice(0, 76)}\n`.repeat(90)}End.`],
    ['a run without a type', BYTES],
    ['a run over many lines', `${BYTES.slice(0, 64)}\n`.repeat(120)],
  ])('shortens %s, and keeps the number of lines', (_name, text) => {
    const short = withoutPayloads(text);
    expect(short.length).toBeLessThan(text.length / 10);
    expect(short.split('\n')).toHaveLength(text.split('\n').length);
  });

  it.each([
    ['an example', 'data:image/gif;base64,R0lGODlhAQABAIAAAP'],
    ['a key', `ssh-rsa ${BYTES.slice(0, 1400)} owl@example`],
    ['a certificate', `-----BEGIN-----\n${`${BYTES.slice(0, 64)}\n`.repeat(52)}-----END-----`],
    ['a hash', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ])('keeps %s', (_name, text) => {
    expect(withoutPayloads(text)).toBe(text);
  });
});

describe('pictures that are written in a page', () => {
  it.each([
    ['![An owl](data:image/gif;base64,AAAA) flies.', '[An owl] flies.'],
    ['![](data:image/gif;base64,AAAA) flies.', ' flies.'],
    ['![An owl](<data:image/svg+xml;utf8,%3Csvg> "Owl") flies.', '[An owl] flies.'],
    ['[An owl](data:text/plain,owl) flies.', '[An owl] flies.'],
    ['![An owl][o] flies.\n\n[o]: data:image/gif;base64,AAAA', '![An owl][o] flies.'],
    ['Write `![a](data:image/gif;base64,AAAA)`.', 'Write `![a](data:image/gif;base64,AAAA)`.'],
  ])('show their alternative text: %j', async (text, shown) => {
    expect(await read(text)).toBe(shown);
    expect(await read(text, 'a.mdx')).toBe(shown);
  });
});
