import { strToU8 } from 'fflate';
import { convertLatex } from '../../../../src/ingest/conversion/latex/convert-latex.js';
import { convertFixture } from '../../../support/convert-fixture.js';
import { growthOf } from '../../../support/growth.js';

const read = async (text: string) => {
  const { lines, leftOut } = await convertFixture('a.tex', strToU8(text));
  return { leftOut, text: lines.join('\n') };
};

describe('LaTeX', () => {
  it('reads code that pandoc coloured without the commands for colours', async () => {
    const { text } = await read(String.raw`\begin{Highlighting}[]
\FunctionTok{\{} \StringTok{"{-}y"}\OtherTok{,} \NormalTok{a }\OperatorTok{\textgreater{}}\StringTok{"C:}\CharTok{\textbackslash{}}\StringTok{x"} \FunctionTok{\}}
\end{Highlighting}`);
    expect(text).toBe('```\n{ "-y", a >"C:\\x" }\n```');
  });

  it('has sections, marks, lists, tables, code, links and notes', async () => {
    const { text, leftOut } = await read(String.raw`\documentclass[a4paper]{article}
\usepackage{hyperref}
\newcommand{\port}{Port of Gull}
\title{The \textbf{harbour}}
\begin{document}
\maketitle
\section{Berths}\label{sec:berths}
The \port{} has \emph{two} quays % a comment
and 5\,\% of ${'``'}all'' ships; see \href{https://tug.example}{tugs}\footnote{A note.}, Section~\ref{sec:berths}.

It is caf\'e, na\"{\i}ve and \unknown[x]{kept}{too} with \texttt{moor -d} and \verb|a{b|.
\subsection*{Lists}
\begin{itemize}
  \item one
  \begin{enumerate}
    \item deeper
  \end{enumerate}
  \item two
\end{itemize}
\begin{description}
  \item[Depth] in metres
\end{description}
\begin{table}[ht]
\caption{Fees}
\begin{tabular}{l|r}
Berth & Fee \\
\hline
1 & 20 \\
\multicolumn{2}{l}{both \& more} \\
\end{tabular}
\end{table}
\begin{lstlisting}[language=Bash]
moor % -d {
\end{lstlisting}
Inline $a_1 < b$ and
\begin{equation}\label{e}
E = mc^2
\end{equation}
\input{other}
\end{document}
Nothing.
`);
    expect(leftOut).toEqual(['included files that are not read here: 1, such as other']);
    expect(text).toBe(String.raw`# The harbour
## Berths
The Port of Gull has _two_ quays and 5 % of “all” ships; see [tugs](https://tug.example) (A note.), Section [sec:berths].
It is café, naïve and kept too with ${'`moor -d`'} and ${'`a{b`'}.
### Lists
- one

  1. deeper
- two
**Depth**
in metres
Fees
| Berth | Fee |
| --- | --- |
| 1 | 20 |
| both & more |  |
${'```'}bash
moor % -d {
${'```'}
Inline $a_1 < b$ and
$$E = mc^2$$`);
  });

  it.each([
    [
      String.raw`\SI{10}{\mega\byte} at \qty{3}{\metre\per\second\squared}`,
      '10 megabyte at 3 metre/second squared',
    ],
    [String.raw`\begin{frame}{Setup}Text.\end{frame}`, '## Setup\nText.'],
    [String.raw`\begin{frame}[t]{Setup}Text.\end{frame}`, '## Setup\nText.'],
    [String.raw`\begin{theorem}[name=Tides,label=x]They turn.\end{theorem}`, '**Tides**\nThey turn.'],
    [String.raw`\SI[per-mode=symbol]{1}{\metre}`, '1 metre'],
    [String.raw`\begin{theorem}[Tides]They turn.\end{theorem}`, '**Tides**\nThey turn.'],
    [String.raw`\begin{tcolorbox}[colback=red,title={Take care}]Now.\end{tcolorbox}`, '**Take care**\nNow.'],
    [String.raw`\begin{compactitem}\item one\item two\end{compactitem}`, '- one\n- two'],
    [String.raw`\begin{figure}[htbp]\caption[Tugs]{Two tugs}\end{figure}`, 'Two tugs'],
  ])('reads %s', async (written, shown) => {
    expect((await read(written)).text).toBe(shown);
  });

  it('ends with macros that call themselves', async () => {
    const { text } = await read('\\def\\a{\\b\\b x}\\def\\b{\\a\\a}\n\\a The end.\n');
    expect(text.endsWith('The end.')).toBe(true);
  });
});

describe('convertLatex takes time in proportion to the text', () => {
  it.each([
    'word ',
    '\\',
    '{',
    '}',
    '\\textbf{',
    '$a ',
    '\\(',
    '\\begin{itemize}\n',
    '\\begin{itemize}\\item a\\end{itemize}\n',
    '\\begin{tabular}{l}\n',
    '\\begin{verbatim}\n',
    '\\item[',
    '\\section{a}\n',
    '\\def\\a{',
    '\\verb|',
    '% a\n',
    'a & b \\\\\n',
  ])('of %j', (unit) => {
    const text = (length: number): string => unit.repeat(length / unit.length);
    expect(growthOf((page) => void convertLatex(strToU8(page)), text, 200_000, 32)).toBeLessThan(32);
  });
});
