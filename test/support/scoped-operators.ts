import { accessText, keysOf } from './access.js';
import { buildIndex } from './build-index.js';
import { httpRequest, type RawResponse } from './http-request.js';
import { type CallResult, connectClient, type HttpProcess, startHttpProcess } from './mcp-clients.js';
import { poll } from './processes.js';
import { testFolder } from './test-folder.js';
import { BOTH_TEAMS } from './two-teams.js';
import { writeFiles } from './write-files.js';

const KEYS = keysOf('pilot', 'clerk', 'ada', 'eve', 'stray');
const OPERATOR = ['read' as const, 'operator' as const, 'approve' as const];
/** Callers and operators of two teams; ada may see both. */
const PRINCIPALS = {
  pilot: { keys: [KEYS.pilot], scope: { doc_tags: ['pilots'] } },
  clerk: { keys: [KEYS.clerk], scope: { doc_tags: ['salaries'] } },
  ada: { keys: [KEYS.ada], permissions: OPERATOR },
  eve: { keys: [KEYS.eve], permissions: OPERATOR, scope: { doc_tags: ['salaries'] } },
  stray: { keys: [KEYS.stray], permissions: OPERATOR, scope: { project_id: 'another' } },
};
const RULES = `
version: 1
policy: { rules: [{ name: ask-first, tools: [kb.search], effect: approve }] }
`;
type Name = keyof typeof KEYS;

const approvalOf = ({ structuredContent }: CallResult): string =>
  String(Object(Object(structuredContent?.['error'])['details'])['approval_id']);
const runsIn = ({ body }: RawResponse): string[] => [
  ...new Set([...body.matchAll(/href="(\/admin\/runs\/run\?[^"]+)"/g)].map(([, path]) => String(path))),
];

/** Tests of the calls that operators with a scope see and decide on /admin. @param env  the settings of the ledger */
export function describeScopedOperators(name: string, env: () => Promise<Record<string, string>>): void {
  describe(name, () => {
    const folder = testFolder();
    let server: HttpProcess;
    let asked: { readonly pilot: string; readonly clerk: string };

    const send = (who: Name, path: string, body?: URLSearchParams): Promise<RawResponse> => {
      const { href, origin } = new URL(path, server.url);
      const headers = { authorization: `Bearer ${KEYS[who]}`, accept: 'text/html' };
      if (!body) return httpRequest(href, { method: 'GET', headers });
      const form = { ...headers, origin, 'content-type': 'application/x-www-form-urlencoded' };
      return httpRequest(href, { headers: form, body: String(body) });
    };
    /** Reads, is refused and asks for an approval. @returns the approval */
    const work = async (who: 'pilot' | 'clerk'): Promise<string> => {
      const headers = { authorization: `Bearer ${KEYS[who]}` };
      const client = await connectClient({
        era: 'v2',
        transport: 'http',
        index: '',
        url: server.url,
        headers,
      });
      await client.call('kb.retrieve_evidence', { question: 'boarding' });
      await client.call('kb.retrieve_evidence', { question: '' });
      // Ends before its scope is known.
      await client.call(`no.tool_of_${who}`).catch(() => undefined);
      const id = approvalOf(await client.call('kb.search', { query: `boarding of a ${who}` }));
      await client.close();
      return id;
    };
    const decide = async (who: Name, id: string): Promise<RawResponse> => {
      const { body } = await send(who, `/admin/approvals/${id}`);
      const token = /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '1.a';
      return send(
        who,
        `/admin/approvals/${id}`,
        new URLSearchParams({ token, decision: 'reject', note: '' }),
      );
    };

    beforeAll(async () => {
      const index = folder.file('index.sqlite');
      writeFiles(folder.path, { 'governance.yaml': RULES, 'access.yaml': accessText(PRINCIPALS) });
      writeFiles(folder.file('docs'), BOTH_TEAMS);
      await buildIndex(folder.file('docs'), index);
      server = await startHttpProcess(index, {
        PITH_SECRET: 's'.repeat(32),
        PITH_ACCESS_FILE: folder.file('access.yaml'),
        PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
        ...(await env()),
      });
      asked = { pilot: await work('pilot'), clerk: await work('clerk') };
      await poll('both runs', async () =>
        runsIn(await send('ada', '/admin/runs?outcome=waiting')).length === 2 ? true : undefined,
      );
    }, 60_000);

    afterAll(async () => {
      await server?.stop();
      folder.remove();
    });

    it('lists only runs within the scope, whatever the filter', async () => {
      const all = await send('ada', '/admin/runs');
      const own = await send('eve', '/admin/runs');
      expect([runsIn(all).length, runsIn(own).length]).toEqual([2, 1]);
      expect(own.body).toContain('<bdi>clerk</bdi>');
      expect(own.body).not.toContain('pilot');
      expect(runsIn(await send('eve', '/admin/runs?principal=pilot'))).toEqual([]);
      expect(runsIn(await send('eve', '/admin/runs?outcome=waiting'))).toHaveLength(1);
    });

    it('answers for other runs as if they did not exist', async () => {
      const [own] = runsIn(await send('eve', '/admin/runs'));
      const other = runsIn(await send('ada', '/admin/runs')).find((path) => path !== own);
      expect(await send('ada', String(other))).toMatchObject({ status: 200 });
      const [hidden, unknown] = [
        await send('eve', String(other)),
        await send('eve', '/admin/runs/run?id=no'),
      ];
      expect([hidden.status, hidden.body]).toEqual([404, unknown.body]);
      const shown = await send('eve', String(own));
      expect([shown.status, shown.body.includes('kb.retrieve_evidence')]).toEqual([200, true]);
      expect(shown.body).toContain('no.tool_of_clerk');
    });

    it('lists only approvals within the scope, and answers for others as if they did not exist', async () => {
      const [all, own] = [await send('ada', '/admin/approvals'), await send('eve', '/admin/approvals')];
      const seen = ({ body }: RawResponse) => [body.includes(asked.pilot), body.includes(asked.clerk)];
      expect([seen(all), seen(own)]).toEqual([
        [true, true],
        [false, true],
      ]);
      const hidden = await send('eve', `/admin/approvals/${asked.pilot}`);
      const unknown = await send('eve', `/admin/approvals/${'0'.repeat(32)}`);
      expect([hidden.status, hidden.body]).toEqual([404, unknown.body]);
    });

    it('lets operators decide only about approvals within the scope', async () => {
      expect(await decide('eve', asked.pilot)).toMatchObject({ status: 404 });
      expect((await send('ada', `/admin/approvals/${asked.pilot}`)).body).toContain('waits for approval');
      expect(await decide('eve', asked.clerk)).toMatchObject({ status: 303 });
      expect(await decide('ada', asked.pilot)).toMatchObject({ status: 303 });
      const recent = await send('eve', '/admin/approvals');
      expect([recent.body.includes(asked.pilot), recent.body.includes(asked.clerk)]).toEqual([false, true]);
    });

    it('explains the policy only for principals within the scope', async () => {
      const explained = (who: Name, principal: string) =>
        send(who, `/admin/policy?tool=kb.search&args=%7B%22query%22%3A%22x%22%7D&principal=${principal}`);
      expect((await explained('ada', 'pilot')).body).toContain('Decision: approve');
      expect((await explained('eve', 'clerk')).body).toContain('Decision: approve');
      const hidden = await explained('eve', 'pilot');
      expect(hidden.body).toContain('There is no principal pilot. Principals: clerk, eve.');
      expect((await explained('eve', 'local')).body).toContain('There is no principal local.');
    });

    it('shows nothing to an operator who may see nothing of the server', async () => {
      expect(await send('stray', '/admin/runs')).toMatchObject({ status: 403 });
      expect(await send('stray', '/admin/approvals')).toMatchObject({ status: 403 });
    });
  });
}
