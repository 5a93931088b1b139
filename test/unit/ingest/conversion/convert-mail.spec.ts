import { strToU8 } from 'fflate';
import { convertFixture } from '../../../support/convert-fixture.js';

describe('e-mail', () => {
  const MAIL = [
    'From: Ada Berg <ada@example.org>',
    'To: harbour@example.org',
    'Subject: =?utf-8?q?Kr=C3=A4ne?=',
    'Date: Tue, 04 Mar 2025 10:00:00 +0000',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Both cranes stop at noon.',
    '--x',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename="plan.pdf"',
    '',
    '%PDF',
    '--x--',
    '',
  ].join('\r\n');

  it('has its subject, people, text and the names of its attachments', async () => {
    const { title, lines } = await convertFixture('a.eml', strToU8(MAIL));
    expect(title).toBe('Kräne');
    const text = lines.join('\n');
    expect(lines[0]).toBe('# Kräne');
    expect(text).toContain('From: Ada Berg');
    expect(text).toContain('Both cranes stop at noon.');
    expect(text).toContain('Attachments: plan.pdf');
  });

  it.each(['a.eml', 'a.mht'])('has the characters of Windows in Latin-1, also quoted: %s', async (name) => {
    const headers = 'Subject: =?windows-1252?q?A_=96_B?=\nContent-Type: text/html; charset=iso-8859-1\n';
    const plain = await convertFixture(name, Buffer.from(`${headers}\n<p>It\x92s \x80 5.</p>\n`, 'latin1'));
    expect(plain.lines.at(-1)).toBe('It’s € 5.');
    const encoding = 'Content-Transfer-Encoding: quoted-printable\n';
    const quoted = await convertFixture(name, strToU8(`${headers}${encoding}\n<p>It=92s =80 5.</p>\n`));
    expect(quoted.lines.at(-1)).toBe('It’s € 5.');
  });

  it('has a section for each message of an mbox file', async () => {
    const mbox = ['One', 'Two']
      .map(
        (subject) =>
          `From a@b Tue Mar  4 10:00:00 2025\nSubject: ${subject}\n\n>From the quay: ${subject}.\n`,
      )
      .join('\n');
    const { lines } = await convertFixture('a.mbox', strToU8(mbox));
    expect(lines).toEqual(['## One', 'From the quay: One.', '## Two', 'From the quay: Two.']);
  });
});
