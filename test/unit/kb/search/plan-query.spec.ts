import { asksForChanges, planQuery, type Question } from '../../../../src/kb/search/plan-query.js';

const plan = (text: string, overrides: Partial<Question> = {}) =>
  planQuery({ text, keywords: [], parts: [], rewrite: true, ...overrides });
const asked = (text: string, overrides: Partial<Question> = {}) => plan(text, overrides).parts[0]?.asked;
const terms = (text: string, overrides: Partial<Question> = {}) =>
  asked(text, overrides)?.words.map(({ term }) => term);

describe('planQuery', () => {
  it('keeps the content words, each once, in order', () => {
    expect(terms('What is the disk of the disk, and which ship?')).toEqual(['disk', 'ship']);
  });

  it('drops the function words of the language of the question', () => {
    expect(terms('Wie lange werden die Kopien auf dem Rechner aufbewahrt?')).toEqual(
      ['lange', 'Kopien', 'Rechner', 'aufbewahrt'].flatMap((word) => terms(word) ?? []),
    );
    expect(terms('der die das')).toEqual(['der', 'die', 'da']);
    expect(terms('What is `der`?')).toEqual(['der']);
  });

  it('counts the terms that the question repeats', () => {
    const { times } = asked('Mount a disk: which disk? Mounted disks.', { keywords: ['ship', 'ship'] }) ?? {};
    expect(times).toEqual(new Map(Object.entries({ mount: 2, disk: 3 })));
  });

  it('drops words such as "how do I"', () => {
    expect(terms('Can you tell me how to mount a disk?')).toEqual(['mount', 'disk']);
  });

  it('keeps these words if rewriting is off', () => {
    expect(terms('how should I mount a disk', { rewrite: false })).toEqual([
      'how',
      'should',
      'mount',
      'disk',
    ]);
  });

  it('keeps an identifier as one word, with its parts', () => {
    expect(asked('rate_limit')?.words).toEqual([
      {
        term: 'ratelimit',
        parts: [
          { term: 'rate', parts: [] },
          { term: 'limit', parts: [] },
        ],
      },
    ]);
  });

  it.each([
    ['neighbouring words', 'Where are max retries?', ['maxretri']],
    ['each pair of three words', 'max retry count', ['maxretri', 'retrycount']],
    ['no function words', 'Can I log in or set up?', []],
    ['no words with other marks between them', 'max, retries', []],
    ['no parts of identifiers', 'max_retry count', []],
  ])('joins %s', (_, text, joined) => {
    expect(asked(text)?.joined).toEqual(joined);
  });

  it.each([
    ['a command in backticks', 'What does `make install` do?', ['make', 'instal']],
    ['a single word in backticks', 'What is `get`?', ['get']],
    ['quoted text', 'What does "get ready" mean?', ['get', 'readi', 'mean']],
    ['text in typographic quotes', 'When does “make happen” run?', ['make', 'happen', 'run']],
    ['a path', 'What is in docs/how/get?', ['doc', 'how', 'get']],
    ['a path of Windows', 'What is in C:\\tell\\get?', ['c', 'tell', 'get']],
    ['a file name', 'What is get.md?', ['getmd']],
    ['an identifier', 'What does getThing do?', ['getth']],
    ['an identifier with underscores', 'What is make_it_happen?', ['makeithappen']],
    ['a flag', 'What is --make?', ['make']],
    ['a version', 'What changed in 4.4.5?', ['chang', '445']],
  ])('never drops words of %s', (_, text, kept) => {
    expect(terms(text)).toEqual(kept);
  });

  it.each([
    ['what is it', ['what', 'is', 'it']],
    ['how can I make it happen', ['how', 'can', 'make', 'happen']],
    ['?!', []],
    ['', []],
  ])('never drops all words of %j', (text, kept) => {
    expect(terms(text)).toEqual(kept);
  });

  describe('keywords', () => {
    it('have the same weight as words of the question', () => {
      expect(terms('other domains refused', { keywords: ['CORS', 'preflight request'] })).toEqual([
        'domain',
        'refus',
        'cor',
        'preflight',
        'request',
      ]);
    });

    it('add nothing twice', () => {
      expect(terms('mount disk', { keywords: ['mounting', 'disk'] })).toEqual(['mount', 'disk']);
    });

    it('are enough if the question has only function words', () => {
      expect(terms('what is it', { keywords: ['disk'] })).toEqual(['disk']);
    });

    it('are never rewritten', () => {
      expect(terms('disk', { keywords: ['how to get'] })).toEqual(['disk', 'how', 'to', 'get']);
    });

    it('are part of the text for scoring spans', () => {
      expect(plan('How?', { keywords: ['disk', 'ship'] }).parts[0]?.text).toBe('How? disk ship');
    });
  });

  it('searches the parts separately, each with the keywords, instead of the question', () => {
    expect(plan('Both?', { parts: ['Mount a disk', 'Sink a ship'], keywords: ['port'] }).parts).toMatchObject(
      [
        {
          text: 'Mount a disk port',
          asked: { words: [{ term: 'mount' }, { term: 'disk' }, { term: 'port' }] },
        },
        {
          text: 'Sink a ship port',
          asked: { words: [{ term: 'sink' }, { term: 'ship' }, { term: 'port' }] },
        },
      ],
    );
  });

  it('separates the question from the keywords', () => {
    expect(plan('How?', { keywords: ['error'] }).parts).toMatchObject([
      { question: 'How?', text: 'How? error' },
    ]);
  });

  it.each<[string, Partial<Question>, (readonly string[] | null)[]]>([
    [
      'several parts and keywords',
      { parts: ['Mount it', 'Sink it'], keywords: ['port'] },
      [['mount'], ['sink']],
    ],
    ['one part', { parts: ['Mount it'], keywords: ['port'] }, [null]],
    ['parts without keywords', { parts: ['Mount it', 'Sink it'] }, [null, null]],
    ['keywords without parts', { keywords: ['port'] }, [null]],
  ])('plans a search without keywords only for several parts with keywords: %s', (_, asked, own) => {
    const terms = plan('Both?', asked).parts.map((part) => part.own?.words.map(({ term }) => term) ?? null);
    expect(terms).toEqual(own);
  });

  describe('phrases', () => {
    it.each<[string, string, string[][]]>([
      ['quotes', 'Why "disk full" today', [['disk', 'full']]],
      ['typographic quotes', 'Why “disk full” today', [['disk', 'full']]],
      ['backticks', 'What does `npm run build` do', [['npm', 'run', 'build']]],
      ['quotes, stop words and all', 'Why "not found here"', [['not', 'found', 'here']]],
      [
        'each pair of quotes',
        '"disk full" or "ship sunk"',
        [
          ['disk', 'full'],
          ['ship', 'sunk'],
        ],
      ],
      ['nothing of a single word', 'What is "disk"', []],
      ['nothing without quotes', 'Why disk full', []],
      ['nothing of an open quote', 'Why "disk full', []],
    ])('are the words in %s', (_, text, phrases) => {
      expect(asked(text)?.phrases).toEqual(phrases);
    });

    it('are at most four', () => {
      expect(asked('"a b" "c d" "e f" "g h" "i j"')?.phrases).toHaveLength(4);
    });

    it('come from keywords, too', () => {
      expect(asked('disk', { keywords: ['"ship sunk"'] })?.phrases).toEqual([['ship', 'sunk']]);
    });

    it('do not depend on rewriting', () => {
      expect(asked('"disk full"', { rewrite: false })?.phrases).toEqual([['disk', 'full']]);
    });
  });

  describe('correctable', () => {
    it('are words of five letters and more', () => {
      expect(asked('mountt an antena ship')?.correctable).toEqual(['mountt', 'antena']);
    });

    it.each([
      ['identifiers', 'getThings'],
      ['identifiers with underscores', 'rate_limits'],
      ['commands', '`instal packges`'],
      ['quoted text', '"instal packges"'],
      ['flags', '--verbos'],
      ['paths', 'confg/packges'],
      ['file names', 'confgs.jsonn'],
      ['versions', '4.4.5-alphaa'],
      ['words with digits', 'packges2'],
      ['host names', 'packges.example.org'],
    ])('do not include %s', (_, text) => {
      expect(asked(text)?.correctable).toEqual([]);
    });

    it('are empty if rewriting is off', () => {
      expect(asked('mountt', { rewrite: false })?.correctable).toEqual([]);
    });
  });

  describe('acronyms', () => {
    it('are words of two to eight capitals and digits, once each', () => {
      expect(asked('Does the TLS or the OAUTH2 of the TLS use a RSA key, X')?.acronyms).toEqual([
        'TLS',
        'OAUTH2',
        'RSA',
      ]);
    });

    it.each([
      ['identifiers', 'API_KEY and X-API'],
      ['words in mixed case', 'GraphQL'],
      ['words in small letters', 'tls'],
      ['single letters', 'plan B'],
      ['longer words', 'ECONNREFUSED'],
    ])('do not include %s', (_, text) => {
      expect(asked(text)?.acronyms).toEqual([]);
    });

    it('are at most four', () => {
      expect(asked('AA BB CC DD EE')?.acronyms).toEqual(['AA', 'BB', 'CC', 'DD']);
    });

    it('come from keywords, too', () => {
      expect(asked('other domains', { keywords: ['CORS'] })?.acronyms).toEqual(['CORS']);
    });

    it('are empty if rewriting is off', () => {
      expect(asked('TLS', { rewrite: false })?.acronyms).toEqual([]);
    });
  });

  describe('what rewriting never touches', () => {
    it.each([
      ['a relative path', 'Who calls ./get for me', 'get'],
      ['an absolute path', 'Who calls /get for me', 'get'],
      ['stop words in quotes', 'What is "not found"', 'not'],
    ])('keeps %s', (_, text, kept) => {
      expect(terms(text)).toContain(kept);
    });

    it.each<[string, string, string[]]>([
      ['qualified names', 'std::vectr', []],
      ['error codes', 'ECONNREFUSD', []],
      ['identifiers among the keywords', 'disk', ['rateLimitt']],
      ['commands among the keywords', 'disk', ['`instal packges`']],
    ])('leaves %s uncorrected', (_, text, keywords) => {
      expect(asked(text, { keywords })?.correctable).toEqual([]);
    });

    it('keeps words in the order of their first appearance', () => {
      expect(terms('disk of a ship and a disk')).toEqual(['disk', 'ship']);
    });

    it('expands nothing in quoted text or commands', () => {
      expect(asked('What does `SET X` or "TLS" say')?.acronyms).toEqual([]);
    });
  });
});

describe('asksForChanges', () => {
  it.each(['What changed in 2.0?', 'Since when is it deprecated?', 'Which version introduced tabs?'])(
    'is true for: %s',
    (question) => expect(asksForChanges(question)).toBe(true),
  );

  it.each(['How do I mount a disk?', 'Which option turns warnings into errors?'])(
    'is false for: %s',
    (question) => expect(asksForChanges(question)).toBe(false),
  );
});
