import { toolBehind } from '../../../src/mcp/resource-requests.js';

describe('toolBehind', () => {
  it.each([
    ['resources/read', 'docs:///guide/a.md', 'get_doc'],
    ['resources/read', 'DOCS:///guide/a.md', 'get_doc'],
    ['resources/read', 'wekadocs://scratch/s/p', 'kb.read_excerpt'],
    ['resources/read', 'own+scheme://SCRATCH/s/p', 'kb.read_excerpt'],
    ['resources/read', 'wekadocs://diagnostics/2026-01-01/x', 'diagnostics.get'],
    ['resources/read', 'docs://scratch/s/p', 'kb.read_excerpt'],
    ['resources/read', 'docs://diagnostics/2026-01-01/x', 'diagnostics.get'],
    ['resources/read', 'file:///etc/passwd', null],
    ['prompts/get', '', 'get_doc'],
  ])('%s %s is decided as %s', (method, uri, tool) => {
    expect(toolBehind(method, uri)).toBe(tool);
  });
});
