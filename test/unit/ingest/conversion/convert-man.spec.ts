import { strToU8 } from 'fflate';
import { convertMan } from '../../../../src/ingest/conversion/man/convert-man.js';
import { convertFixture } from '../../../support/convert-fixture.js';
import { growthOf } from '../../../support/growth.js';

const read = async (text: string): Promise<string> =>
  (await convertFixture('a.1', strToU8(text))).lines.join('\n');

describe('pages with the macros of man', () => {
  it('have sections, and options as terms', async () => {
    const page = `.\\" A comment
.TH MOOR 1 2025-03-04 "Harbour 2.4"
.SH NAME
moor \\- tie up a ship
.SH "SEE ALSO"
.BR tug (1),
.IR harbour (7)
.SS Options
.TP
\\fB\\-d\\fR, \\fB\\-\\-depth\\fR=\\fIMETRES\\fR
the least depth,
in metres
.TP
.B \\-q
.TQ
.B \\-\\-quiet
say nothing
.PP
Later text.
`;
    expect(await read(page)).toBe(`# MOOR(1)
## NAME
moor - tie up a ship
## SEE ALSO
\`tug\`(1), harbour(7)
### Options
**\`-d\`, \`--depth\`=METRES**
the least depth, in metres
**\`-q\`**
**\`--quiet\`**
say nothing
Later text.`);
  });

  it('have code, lists, tables, links and escapes', async () => {
    const page = `.TH A 1
.SH EXAMPLES
.nf
moor  \\-d 4 \\e
  \\fIship\\fP
.fi
.IP \\(bu 2
one
.IP \\(bu 2
two
.RS
.IP 4. 3
four
.RE
.LP
\\(lqQuoted\\(rq \\[u00E4] \\s-1SMALL\\s0 5\\~m\\&.
.UR https://harbour.example
The site
.UE .
.TS
tab(;);
l l.
Code;Meaning
_
0;T{
All is
well.
T}
.TE
`;
    expect(await read(page)).toBe(`# A(1)
## EXAMPLES
\`\`\`
moor  -d 4 \\
  ship
\`\`\`
- one
- two

  4. four
“Quoted” ä SMALL 5 m. [The site](https://harbour.example).
| Code | Meaning |
| --- | --- |
| 0 | All is well. |`);
  });

  it('take an indented part after a short line for the description of a term', async () => {
    const page =
      '.TH A 1\n.PP\n\\fB\\-C\\fR <path>\n.RS 4\nRun there.\n.RE\n.PP\nFor example:\n.RS 4\n.nf\na\n.fi\n.RE\n';
    expect(await read(page)).toBe('# A(1)\n**`-C` <path>**\nRun there.\nFor example:\n```\na\n```');
  });

  it('follow definitions and conditions, and keep the words of macros that are not known', async () => {
    const page = `.de Opt
.RI [ \\\\$1 ]
..
.ds Pr Pith
.ie t .ds Q \\(lq
.el .ds Q "'
.if t \\{\\
never shown
.\\}
.TH A 1
\\*(Pr \\*Qsays\\*Q
.Opt file
.Zz "some words"
.if n shown
`;
    expect(await read(page)).toBe("# A(1)\nPith 'says' [file] some words shown");
  });

  it('end with macros that call themselves', async () => {
    const page = `.de Lo\n.Lo\n.Lo\ntext\n..\n.ds X \\*X\\*X\n.TH A 1\n.Lo\n\\*X\nThe end.\n`;
    expect(await read(page)).toMatch(/^# A\(1\)\n(?:text )*The end\.$/);
  });
});

describe('pages with the macros of mdoc', () => {
  it('have options as terms, and lines of macros as sentences', async () => {
    const page = `.Dd March 4, 2025
.Dt MOOR 1
.Os
.Sh NAME
.Nm moor
.Nd tie up a ship
.Sh SYNOPSIS
.Nm
.Op Fl q
.Op Fl d Ar metres
.Ar ship ...
.Sh DESCRIPTION
The
.Nm
utility reads
.Pa /etc/moor.conf ,
see
.Xr tug 1 .
.Bl -tag -width Ds
.It Fl d Ar metres
The least depth
.Pq in metres .
.It Fl q , Fl -quiet
Say nothing.
.El
.Bd -literal -offset indent
moor -d 4
.Ed
.Bl -bullet
.It
one
.It
two
.El
`;
    expect(await read(page)).toBe(`# moor(1)
## NAME
\`moor\` – tie up a ship
## SYNOPSIS
\`moor\` [\`-q\`] [\`-d\` metres] ship ...
## DESCRIPTION
The \`moor\` utility reads \`/etc/moor.conf\`, see \`tug\`(1).
**\`-d\` metres**
The least depth (in metres).
**\`-q\`, \`--quiet\`**
Say nothing.
\`\`\`
moor -d 4
\`\`\`
- one
- two`);
  });
});

describe('marks of mdoc for searches', () => {
  it('are not shown', async () => {
    const page =
      '.Dd May 1, 2025\n.Dt A 1\n.Os\n.Sh NAME\n.Nm a\n.Nd b\n.Sh USE\nMoor it.\n.Tg unl\nThen go.\n';
    const { lines } = await convertFixture('a.1', strToU8(page));
    expect(lines.join(' ')).toContain('Moor it. Then go.');
  });
});

describe('standard sentences of mdoc', () => {
  it.each([
    ['.Ex -std', 'The `moor` utility exits 0 on success, and >0 if an error occurs.'],
    ['.Ex -std moor tug', 'The `moor` and `tug` utilities exit 0 on success, and >0 if an error occurs.'],
    [
      '.Rv -std a b c',
      'The `a()`, `b()`, and `c()` functions return the value 0 if successful; otherwise the value -1 is returned and the global variable `errno` is set to indicate the error.',
    ],
    [
      '.Rv -std',
      'Upon successful completion, the value 0 is returned; otherwise the value -1 is returned and the global variable `errno` is set to indicate the error.',
    ],
    ['.Lb libc', 'Standard C Library (`libc`, `-lc`)'],
    ['.Lb libmoor', 'Library (`libmoor`, `-lmoor`)'],
    ['.St -p1003.1-2008 .', 'IEEE Std 1003.1-2008 (“POSIX.1”).'],
    ['.St -p1003.1b-93', 'IEEE Std 1003.1b-1993 (“POSIX.1”)'],
    ['.St -isoC-99', 'ISO/IEC 9899:1999 (“ISO C99”)'],
    ['.At v7 and .', 'Version 7 AT&T UNIX and.'],
    ['.At V.4', 'AT&T System V Release 4 UNIX'],
    ['.At', 'AT&T UNIX'],
    ['.Rs\n.%A A. Pilot\n.%A B. Tug\n.%T Moorings\n.Re', 'A. Pilot and B. Tug, Moorings'],
    ['.In moor.h', '`<moor.h>`'],
    ['.An -nosplit\n.An A. Pilot', 'A. Pilot'],
    ['.Bf -literal\nDanger.\n.Ef', 'Danger.'],
    ['.Fa "int \\*[lp]*moor\\*[rp]\\*[lp]int\\*[rp]"', '`int (*moor)(int)`'],
  ])('are those of groff: %s', async (macro, shown) => {
    const page = `.Dd March 4, 2025\n.Dt MOOR 1\n.Os\n.Sh NAME\n.Nm moor\n.Nd tie up\n.Sh NOTES\n${macro}\n`;
    expect(await read(page)).toBe(`# moor(1)\n## NAME\n\`moor\` – tie up\n## NOTES\n${shown}`);
  });

  it('write directives in the synopsis', async () => {
    expect(await read('.Dd a\n.Dt MOOR 3\n.Sh SYNOPSIS\n.In moor.h\n')).toBe(
      '# moor(3)\n## SYNOPSIS\n`#include <moor.h>`',
    );
  });
});

describe('convertMan takes time in proportion to the text', () => {
  it.each([
    ['words', 'word '],
    ['backslashes', '\\'],
    ['fonts', '\\fB'],
    ['strings', '\\*(Aq'],
    ['open marks', "\\h'"],
    ['open brackets', '\\['],
    ['quotation marks', '.B "a" "\n'],
    ['terms', '.TP\n'],
    ['indented parts', '.RS\n'],
    ['definitions that do not end', '.de A\n'],
    ['conditions that do not end', '.if t \\{\n'],
    ['tables that do not end', '.TS\n'],
    ['macros of mdoc', '.Op Op Op\n'],
  ])('of %s', (_, unit) => {
    const text = (length: number): string => `.TH A 1\n.Dd a\n${unit.repeat(length / unit.length)}`;
    expect(growthOf((page) => void convertMan(strToU8(page)), text, 400_000, 32)).toBeLessThan(32);
  });
});
