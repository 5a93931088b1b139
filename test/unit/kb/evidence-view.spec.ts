import { EVIDENCE_VIEW } from '../../../src/kb/evidence-view.js';

describe('EVIDENCE_VIEW', () => {
  const { html } = EVIDENCE_VIEW;

  it('is small', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(15_000);
  });

  it('asks no other server for anything, and the browser would refuse it', () => {
    expect(html.replace(/\^https\?:\$/, '')).not.toMatch(/https?:|\/\/[a-z]|url\(|@import|<link|src=/);
    expect(html).toContain(
      `content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'`,
    );
  });
});
