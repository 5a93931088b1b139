import type { ApprovalStore } from '../../src/governance/approvals/approval-store.js';
import type { ArtifactStore } from '../../src/work/substrate/artifacts/artifact-store.js';
import { joined, sha256Of, SPACE } from './a-substrate.js';
import { aDecision } from './an-approval.js';
import { inspectIndex } from './check-index.js';
import { type KillableServer, Refused } from './killed-server.js';
import type { Acting, Since, Strand } from './killed-work.js';
import { poll } from './processes.js';

/** In a document that never changes. */
const TIDES = 'The bar can be crossed two hours before high water.';
const editionText = (edition: number): string => `Edition ${edition} of the guide was printed.`;

/** Things that were acknowledged, of which the newer ones are not checked yet. */
class Acknowledged<T> {
  private readonly all: T[] = [];
  private checked = 0;

  add(item: T): void {
    this.all.push(item);
  }

  take(since: Since): readonly T[] {
    const taken = since === 'ever' ? [...this.all] : this.all.slice(this.checked);
    this.checked = this.all.length;
    return taken;
  }
}

/** A manifest with one edition of the guide. */
interface Edition {
  readonly edition: number;
  readonly sha256: string;
  readonly entries: readonly { readonly path: string; readonly artifact_sha256: string }[];
}

/** Uploads documents, and moves the pointer `guides` to a manifest of them. */
export class Publishing implements Strand {
  /** The manifest of each version of the pointer. */
  readonly versions: Edition[] = [];
  private readonly texts = new Acknowledged<string>();
  private readonly manifests = new Acknowledged<Edition>();
  private uploading: string | null = null;
  private asked: Edition | null = null;
  private edition = 0;

  constructor(private readonly artifacts: ArtifactStore) {}

  get version(): number {
    return this.versions.length;
  }

  /** Makes the first version. */
  async begin(session: Acting): Promise<void> {
    const made = await this.manifest(session);
    const pointer = { name: 'guides', type: 'corpus', manifest_sha256: made.sha256 };
    await session.act('pointer', 'substrate.pointer.create', pointer);
    this.versions.push(made);
  }

  async work(session: Acting): Promise<never> {
    for (;;) {
      this.asked = await this.manifest(session);
      await session.act('pointer', 'substrate.pointer.advance', {
        ...{ name: 'guides', expected_sha256: this.versions.at(-1)?.sha256 },
        ...{ manifest_sha256: this.asked.sha256, reason: 'Another edition' },
      });
      this.versions.push(this.asked);
      this.asked = null;
    }
  }

  async check(server: KillableServer, since: Since): Promise<void> {
    const texts = this.texts.take(since);
    for (const text of texts) expect(await this.stored(text)).toBe(text);
    if (this.uploading !== null) expect([null, this.uploading]).toContain(await this.stored(this.uploading));
    this.uploading = null;
    for (const { sha256, entries } of this.manifests.take(since)) {
      const found = await server.call('substrate.manifest.checkout', { manifest_sha256: sha256 });
      expect(found.entries).toEqual(entries);
    }
    await this.checkPointer(server);
  }

  private async checkPointer(server: KillableServer): Promise<void> {
    const found = await server.call('substrate.pointer.resolve', { name: 'guides' });
    // The move that was not acknowledged either happened or did not.
    if (this.asked && found.version === this.version + 1) this.versions.push(this.asked);
    this.asked = null;
    expect(found).toMatchObject({ version: this.version, manifest_sha256: this.versions.at(-1)?.sha256 });
    const moves = found.history.map((move: { new_sha256: string }) => move.new_sha256);
    const newest = this.versions.slice(-moves.length).map(({ sha256 }) => sha256);
    expect(moves).toEqual(newest.reverse());
  }

  /** The text as it is stored; null if it is not. */
  private async stored(text: string): Promise<string | null> {
    const sha256 = sha256Of(text);
    if ((await this.artifacts.missing(SPACE, [sha256])).length > 0) return null;
    return String(await joined(this.artifacts.read(SPACE, sha256)));
  }

  private async upload(session: Acting, text: string): Promise<string> {
    this.uploading = text;
    const { sha256 } = await session.act('upload', 'substrate.artifact.upload', { text });
    this.uploading = null;
    expect(sha256).toBe(sha256Of(text));
    this.texts.add(text);
    return sha256;
  }

  private async manifest(session: Acting): Promise<Edition> {
    const edition = ++this.edition;
    // Too large for one chunk, and not in the index.
    const scan = await this.upload(session, `Scan ${edition}: ${'0123456789'.repeat(20_000)}`);
    const guide = await this.upload(session, `# Guide\n\n${editionText(edition)}\n`);
    const tides = await this.upload(session, `# Tides\n\n${TIDES}\n`);
    const entries = [
      { path: 'guide.md', artifact_sha256: guide },
      { path: 'scan.raw', artifact_sha256: scan },
      { path: 'tides.md', artifact_sha256: tides },
    ];
    const { sha256 } = await session.act('manifest', 'substrate.manifest.create', { entries });
    const made = { edition, sha256, entries };
    this.manifests.add(made);
    return made;
  }
}

interface Run {
  readonly id: string;
  readonly steps: string[];
  checkpoint: number;
  asked: 'step' | 'checkpoint' | null;
}

/** Keeps one run per server, with steps and checkpoints. */
export class Running implements Strand {
  private readonly runs = new Acknowledged<Run>();
  private readonly ended = new Set<string>();

  async work(session: Acting): Promise<never> {
    const { run_id: id } = await session.act('run', 'run.create', { run_type: 'publishing' });
    const run: Run = { id, steps: [], checkpoint: 0, asked: null };
    await session.act('run', 'run.start', { run_id: id });
    this.runs.add(run);
    for (let number = 1; ; number++) {
      const step_name = `step ${number}`;
      run.asked = 'step';
      await session.act('step', 'run.log_step', { run_id: id, step_name, event: 'start' });
      run.steps.push(step_name);
      run.asked = 'checkpoint';
      const state = JSON.stringify({ version: number });
      await session.act('checkpoint', 'run.checkpoint', {
        run_id: id,
        state,
        expected_version: run.checkpoint,
      });
      run.checkpoint++;
      run.asked = null;
    }
  }

  async check(server: KillableServer, since: Since): Promise<void> {
    for (const run of this.runs.take(since)) {
      await this.checkRun(server, run);
      if (!this.ended.has(run.id)) await this.complete(server, run);
    }
  }

  private async checkRun(server: KillableServer, run: Run): Promise<void> {
    const status = this.ended.has(run.id) ? 'completed' : 'started';
    const found = await server.call('run.get', { run_id: run.id, checkpoint: 0 }).catch((error: unknown) => {
      if (error instanceof Refused && run.checkpoint === 0) return server.call('run.get', { run_id: run.id });
      throw error;
    });
    if (run.asked === 'checkpoint' && found.checkpoint_version > run.checkpoint) run.checkpoint++;
    expect(found).toMatchObject({ status, checkpoint_version: run.checkpoint });
    if (run.checkpoint > 0) expect(found.checkpoint.state).toEqual({ version: run.checkpoint });
    const asked = run.asked === 'step' ? [`step ${run.steps.length + 1}`] : [];
    expect([run.steps, [...run.steps, ...asked]]).toContainEqual(await stepsOf(server, run.id));
  }

  /** The run goes on where it was; with its next change, the event of the step in between is recorded. */
  private async complete(server: KillableServer, run: Run): Promise<void> {
    const done = await server.call('run.complete', { run_id: run.id });
    expect(done).toMatchObject({ status: 'completed', checkpoint_version: run.checkpoint });
    this.ended.add(run.id);
    const steps = await stepsOf(server, run.id);
    if (run.asked === 'step' && steps.length > run.steps.length)
      run.steps.push(`step ${run.steps.length + 1}`);
    run.asked = null;
    expect(steps).toEqual(run.steps);
  }
}

/** The names of the steps of a run; events of one number are one event. */
async function stepsOf(server: KillableServer, run_id: string): Promise<string[]> {
  const steps = new Map<number, string>();
  for (let since_sequence = 0; ;) {
    const asked = { run_id, since_sequence, types: ['run.step'], limit: 100 };
    const page = await server.call('run.events', asked);
    for (const { number, step } of page.events) steps.set(number, step);
    if (!page.has_more) return [...steps.values()];
    since_sequence = page.next_since_sequence;
  }
}

interface Claim {
  readonly id: string;
  readonly statement: string;
  approval: string | null;
  isApproved: boolean;
  /** Null while the decision is not acknowledged. */
  state: 'accepted' | null;
  isAsked: boolean;
}

/** Makes claims, which an operator lets it decide. */
export class Claiming implements Strand {
  private readonly claims = new Acknowledged<Claim>();
  private made = 0;

  constructor(private readonly approvals: ApprovalStore) {}

  async work(session: Acting): Promise<never> {
    for (;;) {
      const statement = `Claim ${++this.made}: the bar is passable.`;
      const evidence = [{ section_id: 'tides.md', quote: TIDES }];
      const { claim_id: id } = await session.act('claim', 'claim.create', { statement, evidence });
      const claim: Claim = { id, statement, approval: null, isApproved: false, state: null, isAsked: false };
      this.claims.add(claim);
      await session.act('request', 'claim.decide', decisionOf(claim)).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        expect(error.details['reason']).toBe('approval_required');
        claim.approval = String(error.details['approval_id']);
      });
      await this.approvals.decide(String(claim.approval), aDecision({ by: 'ann' }));
      claim.isApproved = true;
      claim.isAsked = true;
      await session.act('decide', 'claim.decide', decisionOf(claim));
      claim.state = 'accepted';
    }
  }

  async check(server: KillableServer, since: Since): Promise<void> {
    for (const claim of this.claims.take(since)) {
      const found = await server.call('claim.get', { claim_id: claim.id });
      expect(found).toMatchObject({ statement: claim.statement, evidence: [{ quote: TIDES }] });
      if (claim.isAsked && found.state === 'accepted') claim.state = 'accepted';
      expect(found.state).toBe(claim.state ?? 'open');
      if (claim.state) expect(found.decisions).toMatchObject([{ decision: 'accept', decided_by: ['ann'] }]);
      await this.checkApproval(server, claim);
    }
  }

  /** An approval counts until the call that it is for has been made. */
  private async checkApproval(server: KillableServer, claim: Claim): Promise<void> {
    if (claim.approval === null) return;
    const approval = await this.approvals.get(claim.approval);
    const states = claim.state ? ['used'] : claim.isAsked ? ['approved', 'used'] : ['pending', 'approved'];
    expect(states).toContain(approval?.state);
    if (approval?.state !== 'approved') return;
    expect(await server.call('claim.decide', decisionOf(claim))).toMatchObject({ state: 'accepted' });
    claim.state = 'accepted';
  }
}

const decisionOf = ({ id, statement }: Claim) => ({
  ...{ claim_id: id, statement, decision: 'accept', reason: 'Seen on the water.' },
});

/** What an index was built from. */
interface Built {
  /** Version of the pointer; 0 for none. */
  version: number;
  isAsked: boolean;
}

/** Builds the index of the server and a named corpus again and again, from what the pointer is at. */
export class Indexing implements Strand {
  private readonly index: Built = { version: 0, isAsked: false };
  private readonly corpus: Built = { version: 0, isAsked: false };

  constructor(
    private readonly file: string,
    private readonly publishing: Publishing,
  ) {}

  async work(session: Acting): Promise<never> {
    for (;;) {
      await this.ingest(session);
      await this.createCorpus(session);
    }
  }

  ingest(session: Acting): Promise<void> {
    const source = { pointer: { name: 'guides' } };
    return this.build(this.index, () => session.act('ingest', 'index.ingest', { source }));
  }

  /** Builds the index from what the pointer is at last. */
  async finish(session: Acting): Promise<void> {
    await poll('the last index run', async () => {
      await this.ingest(session);
      return this.index.version === this.publishing.version || undefined;
    });
  }

  async check(server: KillableServer): Promise<void> {
    const { source, documents } = await server.call('index.status', {});
    const edition = this.editionOf(this.index, source, documents);
    const quotes = [
      { section_id: 'guide.md', quote: editionText(edition) },
      { section_id: 'tides.md', quote: TIDES },
    ];
    const stands = await server.call('kb.verify', { quotes });
    expect(stands.quotes).toMatchObject([{ state: 'holds' }, { state: 'holds' }]);
    const whole = { integrity: 'ok', documents: 2, sections: 2, indexed: 2 };
    expect(inspectIndex(this.file)).toMatchObject(whole);
    await this.checkCorpus(server);
  }

  private async checkCorpus(server: KillableServer): Promise<void> {
    const { corpora } = await server.call('knowledge.kb_list', {});
    if (corpora.length === 0 && this.corpus.version === 0) return;
    const edition = this.editionOf(this.corpus, corpora[0], corpora[0]?.documents);
    const question = 'Which edition of the guide was printed?';
    const { quotes } = await server.call('knowledge.kb_query', { name: 'guides', question });
    expect(quotes[0].quote).toContain(editionText(edition));
  }

  private async createCorpus(session: Acting): Promise<void> {
    const source = { pointer: { name: 'guides' } };
    const args = { name: 'guides', source, replace: true };
    await this.build(this.corpus, () => session.act('corpus', 'knowledge.kb_create', args));
  }

  /** Builds one, unless the run of a killed server has not ended yet. */
  private async build(built: Built, call: () => Promise<{ pointer: { version: number } }>): Promise<void> {
    built.isAsked = true;
    const made = await call().catch((error: unknown) => {
      if (error instanceof Refused && error.details['reason'] === 'index_busy') return null;
      throw error;
    });
    built.isAsked = false;
    if (made) built.version = made.pointer.version;
  }

  /** The edition that an index holds: of the last build that was acknowledged, or of one that was under way. */
  private editionOf(
    built: Built,
    found: { manifest_sha256: string; pointer: { version: number } },
    documents: number,
  ): number {
    const { version } = found.pointer;
    if (built.isAsked && version > built.version) built.version = version;
    built.isAsked = false;
    expect(version).toBe(built.version);
    const { sha256, edition } = this.publishing.versions[version - 1] ?? {};
    expect(found.manifest_sha256).toBe(sha256);
    expect(documents).toBe(2);
    return edition ?? 0;
  }
}
