import { mkdirSync, writeFileSync } from 'node:fs';
import { parseFloors } from '../../../../src/cli/eval/measures/floors.js';
import { parseQrels, readBeirSet } from '../../../../src/cli/eval/sets/beir-set.js';
import { detectSet } from '../../../../src/cli/eval/sets/detect-set.js';
import { readEvidenceSet } from '../../../../src/cli/eval/sets/evidence-set.js';
import { readGoldenSet } from '../../../../src/cli/eval/sets/golden-set.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const folder = testFolder();
afterAll(() => folder.remove());

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
const answers = [{ path: 'a.md', heading: 'A', quote: 'q' }];

function file(name: string, text: string): string {
  writeFileSync(folder.file(name), text);
  return folder.file(name);
}

describe('readGoldenSet', () => {
  it('adds keywords and parts by id', async () => {
    const set = file(
      'set.jsonl',
      lines({ id: '1', question: 'q', answers }, { id: '2', question: 'r', answers }),
    );
    const keywords = file('k.jsonl', lines({ id: '2', keywords: ['k'], parts: ['p'] }));
    expect(await readGoldenSet(set, keywords)).toMatchObject([
      { id: '1', keywords: [], parts: [], answerable: true, answers: [{ group: 0 }] },
      { id: '2', keywords: ['k'], parts: ['p'] },
    ]);
  });

  it.each([
    ['no JSON', '{"id":\n', ':1'],
    ['a missing field', `${lines({ id: '1', question: 'q', answers })}\n\n{"id":"2"}`, ':3: question'],
    [
      'an id that comes twice',
      lines({ id: '1', question: 'q', answers }, { id: '1', question: 'q', answers }),
      '"1"',
    ],
    ['answerable without answers', lines({ id: 'x7', question: 'q' }), 'x7'],
    ['an empty file', '\n', 'is empty'],
  ])('reports file and line of %s', async (_, text, place) => {
    await expect(readGoldenSet(file('bad.jsonl', text), null)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(place),
    });
  });

  it('reports a missing file', async () => {
    await expect(readGoldenSet(folder.file('none.jsonl'), null)).rejects.toMatchObject({
      reason: 'eval_input_unreadable',
      message: expect.stringContaining('none.jsonl'),
    });
  });
});

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

describe('detectSet', () => {
  beforeAll(() => {
    for (const name of ['sets/beir', 'sets/evidence', 'sets/nothing']) {
      mkdirSync(folder.file(name), { recursive: true });
    }
    file('sets/beir/queries.jsonl', '');
    file('sets/evidence/questions.jsonl', '');
    file('sets/golden.jsonl', '');
    file('sets/notes.txt', '');
  });

  it.each([
    ['sets/golden.jsonl', 'golden', 'golden'],
    ['sets/beir', 'beir', 'beir'],
    ['sets/evidence', 'evidence', 'evidence'],
    ['sets/evidence/questions.jsonl', 'evidence', 'evidence'],
  ])('detects %s as a set of the kind %s', (path, kind, name) => {
    expect(detectSet(folder.file(path))).toMatchObject({ kind, name });
  });

  it.each(['sets/nothing', 'sets/notes.txt', 'sets/none'])('rejects %s and lists the valid sets', (path) => {
    const hint = expect.stringContaining('golden set');
    expect(() => detectSet(folder.file(path))).toThrow(
      expect.objectContaining({ reason: 'eval_set_unknown', hint }),
    );
  });
});

describe('parseFloors', () => {
  it('reads figures and numbers', () => {
    expect(parseFloors('answered=.5, page=0.8')).toEqual([
      { key: 'answered', bound: 0.5 },
      { key: 'page', bound: 0.8 },
    ]);
  });

  it.each(['answered', 'answered=', '=1', 'answered=half', ''])('rejects %j', (text) => {
    expect(() => parseFloors(text)).toThrow(expect.objectContaining({ reason: 'eval_floor_unknown' }));
  });
});
