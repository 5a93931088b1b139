import { openingOf, SessionIds } from '../../../../../src/mcp/http/sessions/session-ids.js';

const ids = new SessionIds(() => 'a-secret-of-more-than-32-characters-for-tests');
const opening = openingOf({
  capabilities: { elicitation: { form: {} }, sampling: { tools: {} }, experimental: { x: 1 } },
  clientInfo: { name: 'n'.repeat(100), version: '1' },
});

describe('SessionIds', () => {
  it('keeps what Pith uses of what the client declares, and bounds it', () => {
    expect(opening).toEqual({
      capabilities: { elicitation: { form: {} }, sampling: {} },
      client: { name: 'n'.repeat(64), version: '1' },
    });
  });

  it('gives every session another id, from which the declaration can be read', () => {
    const id = ids.issue('ada', opening) ?? '';
    expect(id).toMatch(/^[\w.-]{1,512}$/);
    expect(id).not.toBe(ids.issue('ada', opening));
    expect(ids.read('ada', id)).toEqual(opening);
  });

  it('does not read an id of another principal, a changed one, or one of another server', () => {
    const id = ids.issue('ada', opening) ?? '';
    const other = new SessionIds(() => 'another-secret-of-more-than-32-characters');
    expect([ids.read('bob', id), ids.read('ada', `${id}x`), ids.read('ada', 'nonsense')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(other.read('ada', id)).toBeNull();
  });

  it('keeps that a client shows views, and nothing of other extensions', () => {
    const ui = 'io.modelcontextprotocol/ui';
    const open = (extensions: object) =>
      openingOf({ capabilities: { sampling: {}, extensions } }).capabilities;
    const page = 'text/html;profile=mcp-app';
    expect(open({ [ui]: { mimeTypes: ['text/uri-list', page], more: 1 }, other: {} })).toEqual({
      sampling: {},
      extensions: { [ui]: { mimeTypes: [page] } },
    });
    for (const other of [{ [ui]: { mimeTypes: ['text/uri-list'] } }, { [ui]: {} }, { other: {} }, []])
      expect(open(other)).toEqual({ sampling: {} });
  });

  it('accepts a client that declares nothing', () => {
    expect(openingOf(undefined)).toEqual({ capabilities: {}, client: { name: '', version: '' } });
  });
});
