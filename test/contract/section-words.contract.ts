import { anIndexedDocument, aQuery } from '../support/indexed-documents.js';
import { subjectOfEachTest } from '../support/section-subject.js';
import type { SectionIndexSubject } from './section-index.contract.js';

/** How every `SectionIndex` interprets words and terms. */
export function sectionWordsContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} is a SectionIndex`, () => {
    const { subject, find } = subjectOfEachTest(make);

    describe('words', () => {
      it.each([
        ['RateLimitError', 'RateLimitError'],
        ['RateLimitError', 'ratelimiterror'],
        ['RateLimitError', 'rate limit'],
        ['RateLimitError', 'limit error'],
        ['RateLimitError', 'rate_limit_error'],
        ['rate_limit', 'rate_limit'],
        ['rate_limit', 'limit'],
        ['rate_limit', 'RateLimit'],
        ['rate_limit', 'rate-limit'],
        ['--max-retries', '--max-retries'],
        ['--max-retries', 'max-retries'],
        ['--max-retries', 'retries'],
        ['--max-retries', 'maxRetries'],
        ['Get-ChildItem', 'Get-ChildItem'],
        ['Get-ChildItem', 'get-childitem'],
        ['Get-ChildItem', 'ChildItem'],
        ['Get-ChildItem', 'child item'],
        ['kb.search', 'kb.search'],
        ['std::vector', 'std::vector'],
        ['std::vector', 'vector'],
        ['XMLHttpRequest', 'http request'],
        ['version 4.4.5', '4.4.5'],
        ['C++', 'C++'],
        ['C#', 'C#'],
        ['ERR_HTTP2_STREAM', 'http2'],
        ['$env:PATH', 'PATH'],
        ['@nestjs/common', 'nestjs'],
        ['@nestjs/common', '@nestjs/common'],
        ['@nestjs/common', 'nestjs common'],
        ['std::string', 'string'],
        ['std::unique_ptr', 'unique_ptr'],
        ['std::unique_ptr', 'std'],
        ['std::unique_ptr', 'unique ptr'],
        ['a.b.c', 'a.b.c'],
        ['a.b.c', 'b.c'],
        ['--dry-run', 'dry run'],
        ['--dryrun', 'dry run'],
        ['v1beta1', 'v1beta1'],
        ['v1beta1', 'v1'],
        ['v1beta1', 'beta1'],
        ['v1beta1', 'beta'],
        ['OAuth 2.0', 'OAuth2'],
        ['OAuth2', 'oauth'],
        ['utf-8', 'utf8'],
        ['utf8', 'UTF-8'],
        ['ERR_X', 'ERR_X'],
        ['ERR_X', 'err x'],
        ['E1001', 'e1001'],
        ['0x80070005', '0X80070005'],
        ['hashJoinThreshold', 'hash-join-threshold'],
      ])('finds the identifier %s by %s', async (written, asked) => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: [`Here ${written} stands.`] }),
          anIndexedDocument({ path: 'miss.md', texts: ['Here stands none of them.'] }),
          anIndexedDocument({ path: 'more.md', texts: ['Still more prose without it.'] }),
        );
        expect(await find(asked)).toEqual(['hit.md']);
      });

      const SPELLINGS = [
        'maxRetries',
        'MaxRetries',
        'max_retries',
        'MAX_RETRIES',
        'max-retries',
        '--max-retries',
      ];

      it.each([...SPELLINGS, 'max retries', 'maxretries'])(
        'finds every spelling of a name by %s',
        async (asked) => {
          const written = [...SPELLINGS, 'max retries'];
          const pages = written.map((name, i) =>
            anIndexedDocument({ path: `${i}.md`, texts: [`Here ${name} stands on page ${i}.`] }),
          );
          await subject.publish(
            ...pages,
            anIndexedDocument({ path: 'miss.md', texts: ['Here stands none.'] }),
          );
          const found = (await find(asked, { limit: 20 })).toSorted();
          // Words that are written as one are not known to be two.
          expect(found).toEqual(
            written.map((_, i) => `${i}.md`).slice(0, asked === 'maxretries' ? -1 : undefined),
          );
        },
      );

      it('finds the parts of a path too if enough sections contain it whole', async () => {
        const wholes = Array.from({ length: 12 }, (_, i) =>
          anIndexedDocument({ path: `${i}.md`, texts: [`Page ${i} shows std::string in use.`] }),
        );
        const part = anIndexedDocument({ path: 'part.md', texts: ['A string is converted to a number.'] });
        await subject.publish(...wholes, part);
        expect(await find('Convert std::string to int', { limit: 5 })).toContain('part.md');
      });

      it.each([
        ['C++', 'C#'],
        ['C#', 'C++'],
      ])('distinguishes %s from %s', async (written, asked) => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: [`Here ${asked} stands.`] }),
          anIndexedDocument({ path: 'miss.md', texts: [`Here ${written} stands.`] }),
          anIndexedDocument({ path: 'more.md', texts: ['Still more prose without it.'] }),
        );
        expect((await find(asked))[0]).toBe('hit.md');
      });

      it.each([
        ['The server retries a request.', 'retry requests'],
        ['We are indexing.', 'indexed'],
        ['Connections', 'connection'],
        ['Configuring the proxies', 'configure proxy'],
      ])('finds "%s" by "%s"', async (written, asked) => {
        await subject.publish(anIndexedDocument({ path: 'hit.md', texts: [written] }));
        expect(await find(asked)).toEqual(['hit.md']);
      });

      it.each([
        ['Der Schlüssel öffnet die Tür.', 'schlüssel'],
        ['Der Schlüssel öffnet die Tür.', 'SCHLÜSSEL'],
        ['Der Schlüssel öffnet die Tür.', 'Schlussel'],
        ['Der Schlu\u0308ssel.', 'Schlüssel'],
        ['Die Größe der Straße', 'größe'],
        ['Un café noir', 'cafe'],
        ['Un cafe noir', 'CAFÉ'],
        ['設定ファイルを保存する', '設定'],
        ['設定ファイルを保存する', 'ファイル'],
        ['設定ファイルを保存する', '保存'],
        ['サーバーを再起動してください。', 'サーバー'],
        ['ｻｰﾊﾞｰ', 'サーバー'],
        ['重新启动服务器', '服务器'],
        ['서버를 다시 시작합니다', '서버'],
        ['تغيير إعدادات الخادم', 'الخادم'],
        ['הפעל מחדש את השרת', 'השרת'],
        ['Перезапустите сервер', 'СЕРВЕР'],
        ['Перезапустите сервер', 'перезапуск сервера'],
        ['Копии хранятся тридцать дней.', 'копия'],
        ['Копии хранятся тридцать дней.', 'Сколько хранится копия?'],
        ['настройки сервера', 'настройка'],
        ['Ο διακομιστής', 'ΔΙΑΚΟΜΙΣΤΉΣ'],
        ['सर्वर को पुनः आरंभ करें', 'सर्वर'],
        ['รีสตาร์ทเซิร์ฟเวอร์', 'เซิร์ฟเวอร์'],
        ['İstanbul', 'istanbul'],
        ['ﬁle ＡＢＣ', 'file'],
      ])('finds %s by %s', async (written, asked) => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: [written] }),
          anIndexedDocument({ path: 'miss.md', texts: ['Nothing of the kind.'] }),
        );
        expect(await find(asked)).toEqual(['hit.md']);
      });

      it('ignores stop words of a question', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: ['The kestrel.'] }),
          anIndexedDocument({
            path: 'miss.md',
            texts: ['What is the matter with it and how do they do that?'],
          }),
        );
        expect(await find('What is the kestrel and how does it do that?')).toEqual(['hit.md']);
      });

      it('searches for stop words if there are no other words', async () => {
        await subject.publish(anIndexedDocument({ path: 'who.md', texts: ['The Who'] }));
        expect(await find('the who')).toEqual(['who.md']);
      });
    });

    describe('terms', () => {
      it('finds nothing without terms', async () => {
        await subject.publish(anIndexedDocument());
        const answer = await subject.index.search(aQuery('', { terms: [] }));
        expect(answer).toMatchObject({ candidates: [], sectionCount: 1, documentFrequency: {} });
      });

      it.each([
        ['a quotation mark', '"'],
        ['quoted operators', 'kestrel" OR "a'],
        ['an apostrophe', "'; DROP TABLE section; --"],
        ['AND', 'kestrel AND'],
        ['OR', 'OR'],
        ['NOT', 'NOT'],
        ['NEAR', 'NEAR(kestrel, 2)'],
        ['a caret', '^kestrel'],
        ['a star', 'kest*'],
        ['a column', 'title:kestrel'],
        ['a bracket', '{title}:'],
        ['NUL', 'kes\0trel'],
        ['only NUL', '\0'],
        ['an empty term', ''],
        ['half a character', '\ud83d'],
        ['the other half', '\ude00kestrel'],
        ['a prototype key', '__proto__'],
        ['a property of every object', 'constructor'],
        ['64 KB', 'kestrel'.repeat(9_400)],
        ['64 KB of quotation marks', '"'.repeat(65_536)],
      ])('treats %s as an ordinary word', async (_, term) => {
        await subject.publish(
          anIndexedDocument({ path: 'hit.md', texts: ['The kestrel.'] }),
          anIndexedDocument({ path: 'miss.md', texts: ['Nothing.'] }),
        );
        expect(await find('', { terms: [term] })).toEqual([]);
        expect(await find('', { terms: [term, 'kestrel'] })).toEqual(['hit.md']);
      });

      it('accepts 2,000 terms', async () => {
        await subject.publish(anIndexedDocument({ path: 'hit.md', texts: ['The kestrel.'] }));
        const terms = Array.from({ length: 2_000 }, (_, i) => `word${i}`);
        expect(await find('', { terms: [...terms, 'kestrel'] })).toEqual(['hit.md']);
      });

      it('counts sections with each term in the whole index, and 0 if no visible section has it', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['A kestrel, a kestrel.', 'A kestrel.', 'An owl.'] }),
          anIndexedDocument({ path: 'b.md', docTag: 'other', texts: ['The kestrel.'] }),
        );
        const answer = await subject.index.search(
          aQuery('kestrel owl heron', { scope: { docTags: ['other'] } }),
        );
        expect(answer.documentFrequency).toEqual({ kestrel: 3, owl: 0, heron: 0 });
        expect(answer.sectionCount).toBe(4);
      });

      it('counts a section once, wherever it contains the term', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'kestrel.md', title: 'Kestrel', texts: ['The kestrel.'] }),
          anIndexedDocument({ path: 'b.md', texts: ['Nothing.'] }),
        );
        expect((await subject.index.search(aQuery('kestrel'))).documentFrequency).toEqual({ kestrel: 1 });
      });

      it('does not count sections that were changed or removed', async () => {
        const kept = anIndexedDocument({ path: 'kept.md', texts: ['The kestrel.'] });
        await subject.publish(
          kept,
          anIndexedDocument({ path: 'gone.md', texts: ['The kestrel.'] }),
          anIndexedDocument({ path: 'changed.md', texts: ['The kestrel.', 'kestrel'] }),
        );
        await subject.publish(kept, anIndexedDocument({ path: 'changed.md', texts: ['The owl.'] }));
        const answer = await subject.index.search(aQuery('kestrel owl'));
        expect(answer.documentFrequency).toEqual({ kestrel: 1, owl: 1 });
        expect(answer.sectionCount).toBe(2);
      });
    });
  });
}
