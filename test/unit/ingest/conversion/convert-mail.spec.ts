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

  // RFC 4155: such a line has a sender and a date.
  it('does not begin a message of an mbox file at a line of its text', async () => {
    const mbox = [
      'From ada at example.org  Tue Mar  4 10:00:00 2025',
      'Subject: One',
      '',
      'Hello.',
      '',
      'From now on, use port 8080.',
      'From Mon 8:00 to Fri 17:00.',
      '',
      'From 179@xxx Thu Mar 06 17:44:13 +0000 2025',
      'Subject: Two',
      '',
      'Bye.',
      'From - Tue, 4 Mar 2025 10:00:00 GMT',
      'Subject: Three',
      '',
      'Ahoy.',
    ];
    const { lines } = await convertFixture('a.mbox', strToU8(mbox.join('\n')));
    const text = ['Hello.', 'From now on, use port 8080.  \nFrom Mon 8:00 to Fri 17:00.'];
    expect(lines).toEqual(['## One', ...text, '## Two', 'Bye.', '## Three', 'Ahoy.']);
  });

  const mixed = (...parts: readonly string[]): Uint8Array =>
    strToU8(
      [
        'Subject: Crane',
        'Content-Type: multipart/mixed; boundary=x',
        '',
        ...parts.map((part) => `--x\n${part}`),
        '--x--\n',
      ].join('\n'),
    );

  it('has texts without a name, and messages in it as sections', async () => {
    const inner = 'From: Bo <bo@example.org>\nSubject: Hook\n\nThe hook is new.';
    const { lines } = await convertFixture(
      'a.eml',
      mixed(
        'Content-Type: text/plain\n\nSee below.',
        'Content-Type: text/markdown\n\nMind the rope.',
        'Content-Type: text/plain\nContent-Disposition: attachment; filename=notes.txt\n\nNotes.',
        `Content-Type: message/rfc822\nContent-Disposition: attachment; filename=hook.eml\n\n${inner}`,
        `Content-Type: message/rfc822\n\n${inner.replaceAll('ook', 'ull')}`,
      ),
    );
    expect(lines).toEqual([
      '# Crane',
      'See below.',
      'Attachments: notes.txt, hook.eml',
      'Mind the rope.',
      '## Hook',
      'From: Bo <bo@example.org>',
      'The hook is new.',
      '## Hull',
      'From: Bo <bo@example.org>',
      'The hull is new.',
    ]);
  });

  // RFC 5537, 6532: messages of news and with UTF-8 in their headers. RFC 3464: a message that was not delivered.
  it.each(['news', 'global'])('has a message/%s as a section, and the text of a report', async (kind) => {
    const { lines } = await convertFixture(
      'a.eml',
      mixed(
        'Content-Type: message/delivery-status\n\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 No such berth',
        `Content-Type: message/${kind}\n\nSubject: Hook\n\nThe hook is new.`,
      ),
    );
    expect(lines).toEqual([
      '# Crane',
      'Status: 5.1.1  \nDiagnostic-Code: smtp; 550 No such berth',
      '## Hook',
      'The hook is new.',
    ]);
  });

  it('ends at messages that are nested too deeply', async () => {
    const wrap = (message: string, depth: number): string =>
      depth === 0
        ? message
        : `Subject: ${depth}\nContent-Type: message/rfc822\n\n${wrap(message, depth - 1)}`;
    const { lines } = await convertFixture('a.eml', strToU8(wrap('Subject: last\n\nDeep.', 200)));
    expect(lines.length).toBeLessThan(20);
  });

  it.each(['', '; charset=us-ascii', '; charset="utf-8"'])(
    'is UTF-8 or Windows-1252 if it names "%s"',
    async (charset) => {
      const mail = `Subject: A\nContent-Type: text/plain${charset}\n\nGr\u00fc\u00dfe.\n`;
      for (const encoding of ['utf8', 'latin1'] as const)
        expect((await convertFixture('a.eml', Buffer.from(mail, encoding))).lines.at(-1)).toBe('Grüße.');
    },
  );
});
