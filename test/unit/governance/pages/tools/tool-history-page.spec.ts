import { toolHistoryPage } from '../../../../../src/governance/pages/tools/tools.controller.js';
import { FRAME } from '../../../../support/admin-parts.js';

const definition = {
  name: 'kb.search',
  version: '2',
  schemaHash: 'abcdef'.repeat(10),
  provider: 'pith',
  facts: '{"safety":"read","title":"<b>Search</b>"}',
  firstSeen: Date.parse('2026-01-01T00:00:00.000Z'),
  lastSeen: Date.parse('2026-01-02T00:00:00.000Z'),
};

describe('toolHistoryPage', () => {
  const text = toolHistoryPage('kb.search', [definition], FRAME);

  it('shows version, hash and times of a definition', () => {
    expect(text).toContain('<bdi class="id">2</bdi>');
    expect(text).toContain('abcdefabcdef</bdi>');
    expect(text).toContain('datetime="2026-01-01T00:00:00.000Z"');
    expect(text).toContain('datetime="2026-01-02T00:00:00.000Z"');
  });

  it('shows all facts, escaped', () => {
    expect(text).toContain('&quot;safety&quot;: &quot;read&quot;');
    expect(text).not.toContain('<b>Search</b>');
  });
});
