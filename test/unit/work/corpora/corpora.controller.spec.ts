import { notOfferedPage } from '../../../../src/admin/pages/failure-page.js';
import { corporaPage } from '../../../../src/work/corpora/corpora.controller.js';
import type { NamedCorpus } from '../../../../src/work/corpora/corpus-store.js';
import { UNKNOWN_SHA256 } from '../../../support/a-substrate.js';
import { FRAME } from '../../../support/admin-parts.js';

const aCorpus = (overrides: Partial<NamedCorpus> = {}): NamedCorpus => ({
  ...{ name: 'birds', id: 'i1', description: 'All birds.', source: '/srv/birds' },
  ...{ documents: 1_200, sections: 3_400, createdBy: 'ann', createdAt: 1 },
  ...overrides,
});

const flat = (page: string): string => page.replace(/\s+/g, ' ').replace(/<\/?bdi[^>]*>/g, '');
const listed = (corpora: NamedCorpus[], hasCounts = true): string =>
  flat(corporaPage({ corpora, hasCounts }, FRAME));

describe('corporaPage', () => {
  it('shows name, source, counts, principal and time of each corpus', () => {
    const page = listed([aCorpus()]);
    expect(page).toContain('data-name="Name"><span class="cell">birds</span>');
    expect(page).toContain('data-name="Source"><span class="cell">folder /srv/birds</span>');
    expect(page).toContain('data-name="Documents"><span class="cell">1,200</span>');
    expect(page).toContain('data-name="Sections"><span class="cell">3,400</span>');
    expect(page).toContain('data-name="Made by"><span class="cell">ann</span>');
    expect(page).toContain('<time datetime="1970-01-01T00:00:00.001Z">');
  });

  it.each([
    ['', `manifest ${UNKNOWN_SHA256}</span>`],
    [' team/policies@3', `manifest ${UNKNOWN_SHA256} (team/policies, version 3)</span>`],
  ])('names the manifest of a corpus, and its pointer if it had one: "%s"', (pointer, words) => {
    expect(listed([aCorpus({ source: `manifest:${UNKNOWN_SHA256}${pointer}` })])).toContain(words);
  });

  it('shows no counts to an operator who may see only some of the documents', () => {
    const page = listed([aCorpus()], false);
    expect(page).not.toContain('1,200');
    expect(page).not.toContain('data-name="Documents"');
  });

  it('escapes descriptions and folders', () => {
    const page = listed([aCorpus({ description: '<img src=x>', source: '/srv/<b>' })]);
    expect(page).toContain('&lt;img src=x&gt;');
    expect(page).toContain('/srv/&lt;b&gt;');
  });

  it('says that there are none', () => {
    expect(listed([])).toContain('There are no corpora.');
  });
});

describe('notOfferedPage', () => {
  it('names the setting that offers what is missing', () => {
    const about = { title: 'Corpora', place: '/admin/corpora', domain: 'knowledge' } as const;
    expect(flat(notOfferedPage(about, FRAME))).toContain(
      'This server does not offer corpora. To offer them, add <code>knowledge</code> to <code>MCP_DOMAINS</code>.',
    );
  });
});
