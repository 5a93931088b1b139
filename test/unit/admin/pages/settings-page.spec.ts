import { settingsFacts } from '../../../../src/admin/facts/settings-facts.js';
import { settingsPage } from '../../../../src/admin/pages/settings-page.js';
import { parseConfig } from '../../../../src/config/config.js';
import { FRAME } from '../../../support/admin-parts.js';

const groups = settingsFacts(parseConfig({ PITH_HTTP_PORT: '9000' }));
const shown = (query: Parameters<typeof settingsPage>[1]) =>
  [...settingsPage(groups, query, FRAME).matchAll(/<code class="id">(\w+)<\/code>/g)].map(([, name]) => name);

describe('settingsPage', () => {
  it('shows every setting without a filter', () => {
    expect(shown({})).toHaveLength(groups.flatMap(({ settings }) => settings).length);
  });

  it('finds settings by a text in their name or description, case-insensitively', () => {
    expect(shown({ find: 'pith_HTTP_port' })).toEqual(['PITH_HTTP_PORT']);
    expect(shown({ find: 'Write a diagnostic for every' })).toEqual(['RETRIEVAL_DIAGNOSTICS_FORCE']);
  });

  it('shows only changed settings on request', () => {
    expect(shown({ changed: true })).toEqual(['PITH_HTTP_PORT']);
  });

  it('reports that no setting matches, and keeps the values of the form', () => {
    const page = settingsPage(groups, { find: '"><b>', changed: true }, FRAME);
    expect(page).toContain('No setting matches.');
    expect(page).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(page).toMatch(/value="true" selected/);
  });
});
