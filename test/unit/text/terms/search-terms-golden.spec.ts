import { ANALYSER_VERSION, searchTerms } from '../../../../src/text/terms/search-terms.js';

const TELLING = [
  'running runs ran',
  'Relational databases',
  'generously configured policies',
  'rate_limit',
  'maxRetries',
  'HTTPServer',
  'getURLForHTTPRequest',
  'PITH_MAX_FILE_BYTES',
  '--max-retries',
  'Get-ChildItem',
  'kb.retrieve_evidence',
  'std::unordered_map',
  'C++ and C#',
  '#include <vector>',
  '4.4.5',
  'v2.0.0-rc1',
  'ES2015 utf8 x86_64',
  '10.0.0.1:8443',
  '/etc/fstab',
  'https://get.weka.io/a?b=c',
  'user@example.org',
  "don’t can't",
  'café naïve',
  'Schlüssel für Straßen',
  'Ölwechselanzeigen',
  '設定ファイルのパス',
  '磁盘已满 disk',
  'データベース',
  '한국어 설정',
  'إعدادات الخادم',
  'настройки сервера',
  'ภาษาไทย',
];

describe('searchTerms', () => {
  it('gives these terms; a change of them requires a higher ANALYSER_VERSION', () => {
    const terms = TELLING.map((text) => `${text} → ${searchTerms(text).join(' ')}`);
    expect({ version: ANALYSER_VERSION, terms }).toMatchSnapshot();
  });
});
