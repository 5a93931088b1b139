import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFlags } from '../../src/ingest/flags/find-flags.js';
import { removeInvisible } from '../../src/text/remove-invisible.js';
import { sharedData } from '../support/corpora.js';

/** Of a corpus with thousands of pages, every fourth one is read. */
const MANY = 5_000;

const isPage = (name: string): boolean => /\.(?:md|mdx|html|txt)$/.test(name);

describe('findFlags', () => {
  it.each(['dev-mcp-nestjs', 'fastapi', 'powershell', 'cpp-docs'])(
    'flags fewer than one page in a hundred of %s',
    (name) => {
      const corpus = sharedData(join('corpora', name));
      if (corpus === null) return;
      const all = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter(isPage).sort();
      const pages = all.filter((_, at) => all.length < MANY || at % 4 === 0);
      const flagged = pages.filter((page) => {
        const text = readFileSync(join(corpus, page), 'utf8').replace(/^\ufeff/, '');
        return findFlags(text, removeInvisible(text).removedAt.length).length > 0;
      });
      expect(flagged.length).toBeLessThan(pages.length / 100);
    },
    120_000,
  );
});
