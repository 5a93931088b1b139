import { CALLERS, GROUP_READERS, HEADING, type StoredIds } from './group-readers.js';
import { ABSENT, DOCS, GroupServers, plain, SECRET, type Served, storeFacts } from './group-servers.js';
import { poll } from './processes.js';
import { writeFiles } from './write-files.js';

const OTHERS = CALLERS.filter((who) => who !== 'member');

/**
 * To callers without its groups, a document is as absent.
 * @param env  settings of engines
 * @param projects  start of the names of projects
 */
export function groupsSuite(env: Record<string, string>, projects: string): void {
  const servers = new GroupServers(env, projects);
  let having: Served;
  let lacking: Served;
  let ids: StoredIds = ABSENT;

  beforeAll(async () => {
    having = await servers.serve('kept', { ...DOCS, ...SECRET }, () => ids);
    lacking = await servers.serve('gone', DOCS);
    ids = await storeFacts(having);
  }, 120_000);

  afterAll(() => servers.stop());

  it.each(CALLERS)('%s reads what is for everybody', async (who) => {
    // A member does nothing where the document is not.
    for (const world of who === 'member' ? [having] : [having, lacking])
      expect(JSON.stringify(await world.ask(who, 'kb.search', { query: 'canteen' }))).toContain('lunch.md');
  });

  describe.each(OTHERS)('to %s, a document of another group is as absent', (who) => {
    it.each(GROUP_READERS)('$name', async (reader) => {
      const [kept, gone] = await Promise.all([reader.read(having, who), reader.read(lacking, who)]);
      expect(plain(kept, having.ids(), reader)).toBe(plain(gone, lacking.ids(), reader));
      expect(plain(kept, having.ids())).not.toContain('invalid_input');
    });
  });

  describe('to a member, the document is there', () => {
    it.each(GROUP_READERS.filter(({ isShown }) => isShown))('$name', async (reader) => {
      const [kept, gone] = await Promise.all([reader.read(having, 'member'), reader.read(lacking, 'member')]);
      expect(plain(kept, having.ids(), reader)).not.toBe(plain(gone, lacking.ids(), reader));
    });
  });

  it('claims with evidence of the document, and those of a caller with more groups, are seen by its groups alone', async () => {
    const evidence = [{ section_id: HEADING, quote: 'pays 7000 crowns' }];
    const made = await having.ask('member', 'claim.create', { statement: 'Zorblax is paid.', evidence });
    const bare = await having.ask('member', 'claim.create', { statement: 'Zorblax is rich.' });
    const run = await having.ask('member', 'run.create', { run_type: 'check', name: 'zorblax' });
    expect(JSON.stringify([made, bare, run])).not.toContain('isError":true');
    for (const who of OTHERS)
      for (const tool of ['claim.list', 'run.list'])
        expect(JSON.stringify(await having.ask(who, tool, {})).toLowerCase()).not.toContain('zorblax');
    expect(JSON.stringify(await having.ask('member', 'claim.list', {}))).toContain('Zorblax is rich');
  });

  it('what was stored about a document is hidden from others when the document gets groups', async () => {
    const quote = 'Wait for `ShiftPlan`';
    const asked = await having.ask('nobody', 'kb.retrieve_evidence', {
      question: 'What comes after one asks for a shift?',
    });
    const [{ passage_id = '' } = {}] = Object(asked.structuredContent).quotes as { passage_id?: string }[];
    const made = await having.ask('nobody', 'claim.create', {
      statement: 'ShiftPlan is waited for.',
      evidence: [{ section_id: 'rota.md', quote }],
    });
    const claim = String(Object(made.structuredContent).claim_id);
    const call = String(asked._meta?.['pith/tool_call_id']);
    // Records are written shortly after their calls.
    await poll('the record of the call', async () => {
      const { isError } = await having.ask('ops', 'diagnostics.get', { diagnostic_id: call });
      return isError ? undefined : true;
    });
    const reads: readonly (() => Promise<unknown>)[] = [
      () => having.ask('nobody', 'kb.read_excerpt', { passage_id }),
      () => having.ask('nobody', 'scratch.list', {}),
      () => having.ask('nobody', 'claim.list', {}),
      () => having.ask('nobody', 'claim.get', { claim_id: claim }),
      () => having.ask('nobody', 'claim.verify', { claim_id: claim }),
      () => having.get('ops', '/admin/claims'),
      () => having.get('ops', `/admin/claims/${claim}`),
      () => having.ask('ops', 'diagnostics.get', { diagnostic_id: call }),
      () => having.get('ops', `/admin/diagnostics/${call}`),
      () => having.get('ops', `/admin/retrievals/${call}`),
      () => having.get('ops', '/admin/gaps/usage'),
    ];
    const shown = async (): Promise<boolean[]> => {
      const replies: boolean[] = [];
      for (const read of reads) replies.push(/ShiftPlan|rota/.test(JSON.stringify(await read())));
      return replies;
    };
    expect(await shown()).toEqual(reads.map(() => true));
    const rules = DOCS['.pith.yaml'];
    writeFiles(having.root, { '.pith.yaml': rules.replace('secret/**"]', 'secret/**", "rota.md"]') });
    await having.index();
    expect(await shown()).toEqual(reads.map(() => false));
    writeFiles(having.root, { '.pith.yaml': rules });
    await having.index();
    expect(await shown()).toEqual(reads.map(() => true));
  });

  it('a document that gets groups is hidden after the next run, and is shown when it has none again', async () => {
    const find = async (): Promise<string> =>
      JSON.stringify(await having.ask('nobody', 'kb.search', { query: 'shiftplan' }));
    expect(await find()).toContain('rota.md');
    const rules = DOCS['.pith.yaml'];
    writeFiles(having.root, { '.pith.yaml': rules.replace('secret/**"]', 'secret/**", "rota.md"]') });
    await having.index();
    expect(await find()).not.toContain('rota.md');
    expect(JSON.stringify(await having.ask('member', 'kb.search', { query: 'shiftplan' }))).toContain(
      'rota.md',
    );
    writeFiles(having.root, { '.pith.yaml': rules });
    await having.index();
    expect(await find()).toContain('rota.md');
  });
}
