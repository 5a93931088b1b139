import { anIndexedDocument, EVERYTHING } from '../support/indexed-documents.js';
import { subjectOfEachTest } from '../support/section-subject.js';
import type { SectionIndexSubject } from './section-index.contract.js';

/** How every `SectionIndex` finds quotes. */
export function sectionQuotingContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} is a SectionIndex`, () => {
    const { subject } = subjectOfEachTest(make);
    const find = async (text: string, path = 'none.md', scope = {}) => {
      const { found, isComplete } = await subject.index.quoting({ ...EVERYTHING, ...scope }, { text, path });
      return [found?.section.id ?? null, isComplete];
    };

    describe('quotes', () => {
      const TEXT =
        'Set `max_retries` to 5 (see @scope/name).\nThe kestrel is 50 cm; C++ and std::map, v1.2.3 – café.\n検索エンジンの設定 is done.';

      it.each([
        TEXT,
        'Set `max_retries` to 5',
        'max_retries',
        'scope/name',
        '5 (see @scope/name).\nThe kestrel',
        'C++ and std::map',
        'v1.2.3 – café.',
        'エンジンの設',
        '50',
      ])('finds %j', async (quote) => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['Set max retries to 50.', TEXT] }),
          anIndexedDocument({ path: 'b.md', texts: ['The kestrel.'] }),
        );
        expect(await find(quote, 'a.md')).toEqual([quote === '50' ? 'a.md#s1' : 'a.md#s2', true]);
      });

      it.each([
        ['another case', 'set `max_retries`'],
        ['another order', 'kestrel The'],
        ['unknown words', 'The osprey'],
      ])('does not find %s', async (_, quote) => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: [TEXT] }));
        expect(await find(quote)).toEqual([null, true]);
      });

      it.each([
        ['with other white space', 'The  kestrel\nis'],
        ['that ends within a number', 'kestrel is 5'],
        ['that ends within an identifier', 'Set `max'],
        ['that ends within a version', 'v1.2'],
      ])('finds a text %s, if no section contains the quote itself', async (_, quote) => {
        await subject.publish(anIndexedDocument({ path: 'b.md', texts: [TEXT] }));
        expect(await find(quote)).toEqual(['b.md', true]);
        await subject.publish(anIndexedDocument({ path: 'c.md', texts: [`Here: ${quote} is it.`] }));
        expect(await find(quote, 'b.md')).toEqual(['c.md', true]);
      });

      it.each([
        ['after the slash of a package', 'Use @my-org/name.js now.', 'name.js now'],
        ['before a sign that is letters in terms', 'It weighs 5㎏ or so.', 'or so'],
        ['between full-width dots', '設定．値．名 を変える', '値．名 を'],
      ])('finds a quote %s', async (_, text, quote) => {
        await subject.publish(anIndexedDocument({ path: 'a.md', texts: [text] }));
        expect(await find(quote)).toEqual(['a.md', true]);
      });

      it('says that it can not look for a text without words', async () => {
        await subject.publish(anIndexedDocument({ texts: ['--- | ---'] }));
        expect(await find('---')).toEqual([null, false]);
      });

      it('prefers the given document, then the first by path and position', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'b.md', texts: ['other', 'a kestrel', 'a kestrel'] }),
          anIndexedDocument({ path: 'a.md', texts: ['some', 'a kestrel'] }),
        );
        expect(await find('a kestrel', 'b.md')).toEqual(['b.md#s2', true]);
        expect(await find('a kestrel', 'c.md')).toEqual(['a.md#s2', true]);
      });

      it('sees nothing outside the scope', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', docTag: 'hr', texts: ['a kestrel'] }),
          anIndexedDocument({ path: 'b.md', docTag: 'docs', repository: 'other', texts: ['a kestrel'] }),
          anIndexedDocument({ path: 'c.md', docTag: 'docs', texts: ['a kestrel'] }),
        );
        const docs = { docTags: ['docs'], repositories: ['repo'] };
        expect(await find('a kestrel', 'a.md', docs)).toEqual(['c.md', true]);
        expect(await find('a kestrel', 'a.md', { docTags: [] })).toEqual([null, true]);
      });
    });
  });
}
