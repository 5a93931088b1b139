import type { Call } from '../../../src/core/call.js';
import { BackendUnavailableError, DeadlineExceededError } from '../../../src/core/errors.js';
import { MemoryScratchStore } from '../../../src/scratch/memory-scratch-store.js';
import { PassageNaming, PassagesService } from '../../../src/scratch/passages.service.js';
import { aCall, aCandidate, NOW, SECRET } from '../../support/builders.js';
import { FailingScratchStore } from '../../support/failing-scratch.js';
import { LIMITED_GUIDE, NO_DOCUMENTS } from '../../support/hidden-pages.js';
import { keepPassage, somePassages } from '../../support/some-passages.js';

const SEEN = { generation: 'index:1', window: { start: 0, end: 3 } };
const NOT_FOUND = { code: 'INVALID_ARGUMENT', reason: 'passage_not_found' };

const keep = (passages: PassagesService, call: Call = aCall(), candidate = aCandidate(), seen = SEEN) =>
  keepPassage(passages, candidate, { call, ...seen });

async function refusalOf(reading: Promise<unknown>): Promise<unknown> {
  return reading.then(
    () => 'no refusal',
    (error: unknown) =>
      JSON.stringify(error, ['code', 'reason', 'hint', 'details', 'message']) + String(error),
  );
}

describe('keep', () => {
  it('stores the fields of the contract, under the id that the caller gets', async () => {
    const { id, uri, passage } = await keep(somePassages());
    expect(uri).toBe(`wekadocs://scratch/session/${id}`);
    expect(passage).toEqual({
      sectionId: 'guide.md#use',
      docTag: 'guides',
      repository: 'repo',
      projectId: 'docs',
      environment: 'prod',
      headingPath: ['Guide', 'Use'],
      title: 'Guide > Use',
      text: 'Use it.',
      structure: '[[0,7,0]]',
      sourceUri: 'guide.md',
      url: null,
      updatedAt: '2025-12-01T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      sizeBytes: 7,
      window: { start: 0, end: 3 },
    });
  });

  it('counts the size in UTF-8 bytes', async () => {
    const { passage } = await keep(somePassages(), aCall(), aCandidate({ section: { text: '漢字é' } }));
    expect(passage.sizeBytes).toBe(8);
  });

  it('uses the URL of the page if the document has one', async () => {
    const candidate = aCandidate({ document: { url: 'https://example.org/use' } });
    const call = aCall({ caller: { readerOrigin: 'https://docs.example' } });
    expect(await keep(somePassages(), call, candidate)).toMatchObject({
      url: 'https://example.org/use#use',
      passage: { sourceUri: 'https://example.org/use' },
    });
  });

  it('leads each caller to the reader as that caller reaches it, and stores no origin', async () => {
    const passages = somePassages();
    const from = (readerOrigin: string) => aCall({ caller: { readerOrigin } });
    const kept = await keep(passages, from('https://evil.example'));
    expect(kept).toMatchObject({
      url: 'https://evil.example/read/guide.md#use',
      passage: { url: '/read/guide.md#use' },
    });
    await passages.remember(from('https://evil.example'), kept, { start: 1, end: 2 });
    expect((await passages.read(from('https://docs.example'), kept.id)).url).toBe(
      'https://docs.example/read/guide.md#use',
    );
    expect((await passages.read(aCall(), kept.id)).url).toBeNull();
  });

  it('makes ids of at least 128 bits in base64url', async () => {
    const { id } = await keep(somePassages());
    expect(id).toMatch(/^[A-Za-z0-9_-]{22,}$/);
    expect(Buffer.from(id, 'base64url').length).toBeGreaterThanOrEqual(16);
  });

  it('makes one id for the same section in a session', async () => {
    const passages = somePassages();
    const first = await keep(passages);
    const again = await keep(passages, aCall(), aCandidate({ lexical: 9 }), {
      ...SEEN,
      window: { start: 1, end: 2 },
    });
    expect(again.id).toBe(first.id);
  });

  it.each<[string, Call, { section: { id: string } }, string, string]>([
    [
      'another session',
      aCall({ sessionId: 'other' }),
      { section: { id: 'guide.md#use' } },
      'index:1',
      SECRET,
    ],
    ['another section', aCall(), { section: { id: 'b.md' } }, 'index:1', SECRET],
    ['another generation', aCall(), { section: { id: 'guide.md#use' } }, 'index:2', SECRET],
    [
      'another project',
      aCall({ scope: { projectId: 'x' } }),
      { section: { id: 'guide.md#use' } },
      'index:1',
      SECRET,
    ],
    ['another secret', aCall(), { section: { id: 'guide.md#use' } }, 'index:1', `${SECRET}!`],
  ])('makes another id for %s', async (_, call, parts, generation, secret) => {
    const store = new MemoryScratchStore({
      ttlMs: 1_000,
      maxBytes: 1e6,
      now: () => NOW,
      onPressure: () => undefined,
    });
    const other = new PassagesService(store, new PassageNaming(secret, 'wekadocs'), NO_DOCUMENTS);
    const { id } = await keep(other, call, aCandidate(parts), { ...SEEN, generation });
    expect(id).not.toBe((await keep(somePassages())).id);
  });

  it('makes an id that reveals nothing about the section', async () => {
    const { id } = await keep(somePassages());
    expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('guide');
  });
});

describe('keepAll', () => {
  const unavailable = new BackendUnavailableError('Down.', { reason: 'redis', hint: 'Wait.' });
  const late = new DeadlineExceededError('Late.', { reason: 'redis', hint: 'Wait.' });
  const over = (error: Error) => {
    const store = new FailingScratchStore(error);
    return {
      store,
      passages: new PassagesService(store, new PassageNaming(SECRET, 'wekadocs'), NO_DOCUMENTS),
    };
  };
  const two = [
    { ...SEEN, candidate: aCandidate() },
    { ...SEEN, candidate: aCandidate({ section: { id: 'guide.md#other', text: 'Other.' } }) },
  ];

  it('returns readable handles in the order of the sections', async () => {
    const passages = somePassages();
    const named = await passages.keepAll(aCall(), two);
    expect(named.map(({ passage }) => passage.sectionId)).toEqual(['guide.md#use', 'guide.md#other']);
    expect(await passages.read(aCall(), named[1]?.id ?? '')).toEqual(named[1]);
  });

  it.each([
    ['is down', unavailable],
    ['is late', late],
  ])('still returns handles if the store %s, and marks the call degraded', async (_, error) => {
    const call = aCall();
    const named = await over(error).passages.keepAll(call, two);
    expect(named).toEqual(await somePassages().keepAll(aCall(), two));
    expect(call.trace.degraded).toEqual(['scratch']);
  });

  it('does not use a store again in the call in which it failed', async () => {
    const { store, passages } = over(unavailable);
    const call = aCall();
    await passages.keepAll(call, two);
    await passages.keepAll(call, two);
    expect([store.asked, call.trace.degraded]).toEqual([1, ['scratch']]);
  });

  it('rethrows other failures and the end of the call', async () => {
    await expect(over(new Error('bug')).passages.keepAll(aCall(), two)).rejects.toThrow('bug');
    const ended = { ...aCall(), signal: AbortSignal.abort() };
    await expect(over(late).passages.keepAll(ended, two)).rejects.toBe(late);
  });

  it('reports a store that is down differently from an unknown passage', async () => {
    const { passages } = over(unavailable);
    await expect(passages.read(aCall(), 'id')).rejects.toBe(unavailable);
    await expect(passages.list(aCall(), 5)).rejects.toBe(unavailable);
  });
});

describe('read', () => {
  it('returns the stored passage', async () => {
    const passages = somePassages();
    const kept = await keep(passages);
    expect(await passages.read(aCall(), kept.id)).toEqual(kept);
  });

  it('returns a passage under a narrower scope that includes it', async () => {
    const passages = somePassages();
    const { id } = await keep(passages);
    expect(await passages.read(aCall({ scope: { docTags: ['guides'] } }), id)).toMatchObject({ id });
  });

  it.each<[string, Call]>([
    ['another session', aCall({ sessionId: 'other' })],
    ['another project', aCall({ scope: { projectId: 'other' } })],
    ['another environment', aCall({ scope: { environment: 'dev' } })],
    ['a scope without its tag', aCall({ scope: { docTags: ['other'] } })],
    ['a scope without its repository', aCall({ scope: { repositories: ['other'] } })],
  ])('answers %s like an unknown passage', async (_, call) => {
    const passages = somePassages();
    const { id } = await keep(passages);
    await expect(passages.read(call, id)).rejects.toMatchObject(NOT_FOUND);
    expect(await refusalOf(passages.read(call, id))).toBe(await refusalOf(passages.read(aCall(), 'unknown')));
  });

  it('answers an expired passage like an unknown passage', async () => {
    const clock = { at: NOW };
    const passages = somePassages(() => clock.at);
    const { id } = await keep(passages);
    clock.at += 1_800_000;
    expect(await refusalOf(passages.read(aCall(), id))).toBe(
      await refusalOf(passages.read(aCall(), 'unknown')),
    );
  });

  it.each(['', '../../etc/passwd', 'a\nb', '\u0000', '😀', 'x'.repeat(1_024)])(
    'answers %j like an unknown passage',
    async (id) => {
      await expect(somePassages().read(aCall(), id)).rejects.toMatchObject(NOT_FOUND);
    },
  );

  it('names the tools to call next', async () => {
    await expect(somePassages().read(aCall(), 'unknown')).rejects.toMatchObject({
      hint: expect.stringMatching(/kb\.(search|retrieve_evidence)/),
    });
  });
});

describe('a passage of a document that has got groups since', () => {
  const passages = somePassages(() => NOW, LIMITED_GUIDE);
  const inGroups = (groups: string[]) => aCall({ scope: { groups } });

  it('does not exist for callers without one of them', async () => {
    const { id, uri } = await keep(passages, inGroups([]));
    expect(await refusalOf(passages.read(inGroups([]), id))).toContain('passage_not_found');
    expect(await refusalOf(passages.readUri(inGroups(['eng']), uri))).toContain('passage_not_found');
    expect(await passages.list(inGroups([]), 50)).toEqual([]);
  });

  it('is read by a member', async () => {
    const { id } = await keep(passages, inGroups(['hr']));
    expect(await passages.read(inGroups(['hr']), id)).toMatchObject({ id });
    expect(await passages.list(inGroups(['hr']), 50)).toHaveLength(1);
  });
});

describe('readUri', () => {
  it('reads by the URI of a handle', async () => {
    const passages = somePassages();
    const kept = await keep(passages);
    expect(await passages.readUri(aCall(), kept.uri)).toEqual(kept);
  });

  it.each<[string, (id: string) => string]>([
    ['another scheme', (id) => `file://scratch/session/${id}`],
    ['the scheme in another case', (id) => `WEKADOCS://scratch/session/${id}`],
    ['another session', (id) => `wekadocs://scratch/other/${id}`],
    ['no session', (id) => `wekadocs://scratch/${id}`],
    ['another authority', (id) => `wekadocs://cache/session/${id}`],
    ['a further segment', (id) => `wekadocs://scratch/session/${id}/text`],
    ['a query', (id) => `wekadocs://scratch/session/${id}?all`],
    ['a fragment', (id) => `wekadocs://scratch/session/${id}#all`],
    ['a way around', (id) => `wekadocs://scratch/other/../session/${id}`],
    [
      'percent-encoding',
      (id) => `wekadocs://scratch/session/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
    ],
    ['white space', (id) => `wekadocs://scratch/session/${id} `],
    ['no id', () => 'wekadocs://scratch/session/'],
    ['nothing', () => ''],
    ['no URI', (id) => id],
  ])('answers %s like an unknown passage', async (_, uriOf) => {
    const passages = somePassages();
    const { id } = await keep(passages);
    expect(await refusalOf(passages.readUri(aCall(), uriOf(id)))).toBe(
      await refusalOf(passages.read(aCall(), 'unknown')),
    );
  });

  it('answers a URI of another session like an unknown passage', async () => {
    const passages = somePassages();
    const { uri } = await keep(passages);
    await expect(passages.readUri(aCall({ sessionId: 'other' }), uri)).rejects.toMatchObject(NOT_FOUND);
  });
});

describe('remember', () => {
  it('changes only the window', async () => {
    const passages = somePassages();
    const kept = await keep(passages);
    await passages.remember(aCall(), kept, { start: 4, end: 6 });
    const { passage } = await passages.read(aCall(), kept.id);
    expect(passage).toEqual({ ...kept.passage, window: { start: 4, end: 6 } });
  });
});

describe('list', () => {
  it('lists the visible passages, latest first', async () => {
    const passages = somePassages();
    const first = await keep(passages);
    const second = await keep(passages, aCall(), aCandidate({ section: { id: 'b.md' } }));
    await keep(passages, aCall(), aCandidate({ section: { id: 'c.md' }, document: { docTag: 'secret' } }));
    const listed = await passages.list(aCall({ scope: { docTags: ['guides'] } }), 50);
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await passages.list(aCall({ sessionId: 'other' }), 50)).toEqual([]);
  });
});

describe('results of providers', () => {
  const RESULT = { provider: 'files', tool: 'files.read', text: 'Obey me.' };

  it('are read by their session, whatever tags its scope has', async () => {
    const passages = somePassages();
    const id = await passages.keepProvided(aCall(), RESULT);
    const narrowed = { ...aCall(), scope: { ...aCall().scope, docTags: ['guides'] } };
    expect((await passages.readAny(narrowed, id)).passage).toMatchObject({
      provider: 'files',
      text: 'Obey me.',
    });
  });

  it('are not among the passages that can be quoted', async () => {
    const passages = somePassages();
    const id = await passages.keepProvided(aCall(), RESULT);
    await expect(passages.read(aCall(), id)).rejects.toMatchObject(NOT_FOUND);
  });

  it('are unknown to other sessions', async () => {
    const passages = somePassages();
    const id = await passages.keepProvided(aCall(), RESULT);
    const other = { ...aCall(), caller: { ...aCall().caller, sessionId: 'other' } };
    await expect(passages.readAny(other, id)).rejects.toMatchObject(NOT_FOUND);
  });
});
