import { parseQrels, readBeirSet } from '../../../bench/research/beir-set.js';
import { beirRow, recallAt } from '../../../bench/research/evaluate-beir.js';
import { evidenceRow } from '../../../bench/research/evaluate-evidence.js';
import { readEvidenceSet } from '../../../bench/research/evidence-set.js';
import { asCandidate, positionOf } from '../../../bench/research/plain-document.js';
import { researchSetAt } from '../../../bench/research/research-sets.js';
import { testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const folder = testFolder();
afterAll(() => folder.remove());

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

describe('parseQrels', () => {
  it('keeps positive judgements by query', () => {
    const qrels = parseQrels('query-id\tcorpus-id\tscore\n1\td1\t2\n1\td2\t0\n2\td3\t1\n', 'f');
    expect([...qrels].map(([query, documents]) => [query, [...documents]])).toEqual([
      ['1', [['d1', 2]]],
      ['2', [['d3', 1]]],
    ]);
  });

  it('reports the malformed line', () => {
    expect(() => parseQrels('h\n1\td1\t1\n1 d2 1\n', 'f')).toThrow('f:3');
  });
});

describe('readBeirSet', () => {
  it('returns the judged queries', async () => {
    writeFiles(folder.file('beir'), {
      'corpus.jsonl': lines({ _id: 'd1', title: 'T', text: 'x' }),
      'queries.jsonl': lines({ _id: '1', text: 'q' }, { _id: '2', text: 'r' }),
      'qrels/test.tsv': 'query-id\tcorpus-id\tscore\n1\td1\t1\n',
    });
    const { documents, queries } = await readBeirSet(folder.file('beir'));
    expect(documents).toEqual([{ id: 'd1', title: 'T', text: 'x' }]);
    expect(queries).toEqual([{ id: '1', text: 'q', relevance: new Map([['d1', 1]]) }]);
  });
});

describe('readEvidenceSet', () => {
  it('reads HotpotQA with its collection', async () => {
    const paragraphs = [{ title: 'A', sentences: ['One.', ' Two.'], doc_id: 'd1' }];
    writeFiles(folder.file('hot'), {
      'questions.jsonl': lines({
        id: '1',
        question: 'q',
        type: 'bridge',
        paragraphs,
        supporting_facts: [['A', 1]],
      }),
      'retrieval/corpus.jsonl': lines(
        { _id: 'd1', title: 'A', text: 'other' },
        { _id: 'd2', title: 'B', text: 'y' },
      ),
    });
    expect(await readEvidenceSet(folder.file('hot'))).toMatchObject({
      maxQuotes: 6,
      questions: [{ id: '1', gold: [' Two.'], passages: [{ id: 'd1', text: 'One. Two.' }] }],
      documents: [
        { id: 'd1', text: 'One. Two.' },
        { id: 'd2', text: 'y' },
      ],
    });
  });

  const oneParagraph = (sentences: string[], supporting_facts: unknown) => ({
    id: '1',
    question: 'q',
    paragraphs: [{ title: 'A', sentences, doc_id: 'd1' }],
    supporting_facts,
  });

  it.each([
    ['lost it', ['One.', 'Two.'], 'One. Two.'],
    ['has it before a sentence', ['One.', ' Two.'], 'One. Two.'],
    ['has it after a sentence', ['One. ', 'Two.'], 'One. Two.'],
    ['has a line end', ['One.\n', 'Two.'], 'One.\nTwo.'],
    ['has an empty sentence', ['One.', '', 'Two.'], 'One. Two.'],
  ])('joins sentences with a space where the source %s', async (_, sentences, text) => {
    writeFiles(folder.file('joined'), { 'questions.jsonl': lines(oneParagraph(sentences, [['A', 0]])) });
    const { questions } = await readEvidenceSet(folder.file('joined'));
    expect(questions[0]?.passages).toEqual([{ id: 'd1', title: 'A', text }]);
  });

  it.each([
    ['supporting facts of null', oneParagraph(['One.'], null), /questions\.jsonl:2: supporting_facts: /],
    ['a place that is no number', oneParagraph(['One.'], [['A', 'x']]), /:2: supporting_facts\.0\.1: /],
    [
      'an evidence without a document',
      { id: '1', question: 'q', evidence: [{}] },
      /:2: evidence\.0\.doc_id: /,
    ],
    ['neither layout', { id: '1', question: 'q' }, /:2: evidence: /],
  ])('names file, line and field of %s', async (_, line, message) => {
    writeFiles(folder.file('bad'), {
      'questions.jsonl': lines({ ...oneParagraph(['One.'], [['A', 0]]), id: '0' }, line),
    });
    await expect(readEvidenceSet(folder.file('bad'))).rejects.toMatchObject({
      reason: 'eval_input_malformed',
      message: expect.stringMatching(message),
    });
  });

  it('reads a claim of SciFact once per abstract', async () => {
    const abstract = {
      title: 'A',
      sentences: ['One.', 'Two.'],
      gold_sets: [[0], [1]],
      gold_sentences: [0, 1],
    };
    const evidence = [
      { ...abstract, doc_id: '7', label: 'SUPPORT' },
      { ...abstract, doc_id: '8', label: 'CONTRADICT' },
    ];
    writeFiles(folder.file('sci'), { 'questions.jsonl': lines({ id: '3', question: 'q', evidence }) });
    const { questions, maxQuotes } = await readEvidenceSet(folder.file('sci'));
    expect(maxQuotes).toBe(3);
    expect(questions).toMatchObject([
      { id: '3/7', type: 'SUPPORT', gold: ['One.', 'Two.'], rationales: [['One.'], ['Two.']] },
      { id: '3/8', type: 'CONTRADICT', passages: [{ text: 'One. Two.' }] },
    ]);
  });
});

describe('researchSetAt', () => {
  beforeAll(() => {
    const files = { 'beir/queries.jsonl': '', 'evidence/questions.jsonl': '', 'nothing/notes.txt': '' };
    writeFiles(folder.file('sets'), files);
  });

  it.each([
    ['sets/beir', 'beir', 'beir'],
    ['sets/evidence', 'evidence', 'evidence'],
    ['sets/evidence/questions.jsonl', 'evidence', 'evidence'],
  ])('detects %s as a set of the kind %s', (path, kind, name) => {
    expect(researchSetAt(folder.file(path))).toMatchObject({ kind, name });
  });

  it.each(['sets/nothing', 'sets/none'])('rejects %s and lists the valid sets', (path) => {
    const hint = expect.stringContaining('BEIR folder');
    expect(() => researchSetAt(folder.file(path))).toThrow(
      expect.objectContaining({ reason: 'eval_set_unknown', hint }),
    );
  });
});

describe('recallAt', () => {
  it.each([
    [2, [1, 0, 1], 4, 0.25],
    [3, [1, 0, 1], 4, 0.5],
    [3, [2, 3, 0], 2, 1],
    [3, [], 2, 0],
    [3, [0], 0, 0],
  ])(
    'is computed for the first %i grades of %j, with %i relevant documents',
    (k, ranked, relevant, expected) => {
      expect(recallAt(k, ranked, relevant)).toBe(expected);
    },
  );
});

describe('beirRow', () => {
  it('measures a ranked list of documents', () => {
    const query = {
      id: '1',
      text: 'q',
      relevance: new Map([
        ['d2', 1],
        ['d9', 1],
      ]),
    };
    const { values } = beirRow(query, ['d1', 'd2', 'd3'], 4);
    expect(values).toMatchObject({ recall10: 0.5, recall100: 0.5, mrr10: 0.5, ms: 4 });
    // (1/log2(3)) / (1 + 1/log2(3))
    expect(values['ndcg10']).toBeCloseTo(0.38685, 4);
  });
});

describe('evidenceRow', () => {
  it('measures the quoted gold sentences', () => {
    const gold = ['One is here.', 'Two is there.', 'Three is gone.'];
    const question = {
      id: '1',
      question: 'q',
      type: 't',
      passages: [],
      gold,
      rationales: [gold, ['Two is there.']],
    };
    expect(evidenceRow(question, ['Two is there.', 'None.'], 1).values).toMatchObject({
      recall: 1 / 3,
      any: 1,
      complete: 1,
    });
    expect(evidenceRow(question, [], 1).values).toMatchObject({ recall: 0, any: 0, complete: 0 });
  });
});

describe('asCandidate', () => {
  it('gives a document a path that identifies it', () => {
    const { document, section } = asCandidate({ id: 'x', title: 'T', text: 'Text.' }, 17);
    expect(positionOf(document.path)).toBe(17);
    expect(section).toMatchObject({ headingPath: ['T'], text: 'Text.' });
  });
});
