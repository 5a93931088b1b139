/** Commands that show a character or a word. */
export const SHOWN: Readonly<Record<string, string>> = {
  ldots: '…',
  dots: '…',
  textellipsis: '…',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  textbar: '|',
  textless: '<',
  textgreater: '>',
  textunderscore: '_',
  textdollar: '$',
  textbraceleft: '{',
  textbraceright: '}',
  textbullet: '•',
  textendash: '–',
  textemdash: '—',
  textquotesingle: "'",
  textquotedbl: '"',
  texttrademark: '™',
  textregistered: '®',
  copyright: '©',
  textcopyright: '©',
  textdegree: '°',
  degree: '°',
  pounds: '£',
  euro: '€',
  S: '§',
  P: '¶',
  dag: '†',
  LaTeX: 'LaTeX',
  LaTeXe: 'LaTeX2e',
  TeX: 'TeX',
  BibTeX: 'BibTeX',
  XeLaTeX: 'XeLaTeX',
  ss: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  aa: 'å',
  AA: 'Å',
  o: 'ø',
  O: 'Ø',
  l: 'ł',
  L: 'Ł',
  i: 'ı',
  quad: ' ',
  qquad: ' ',
  space: ' ',
  slash: '/',
  ...Object.fromEntries(['%', '$', '&', '#', '_', '{', '}', ' '].map((char) => [char, char])),
  ',': ' ',
  ';': ' ',
  ':': ' ',
  '\n': ' ',
};

/** Marks that combine with the letter after them. */
export const ACCENTS: Readonly<Record<string, string>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
};

/** Commands with arguments that are no text, and the number of these. */
export const WITHOUT_TEXT: Readonly<Record<string, number>> = Object.fromEntries(
  [
    [
      1,
      'documentclass usepackage RequirePackage label vspace hspace bibliographystyle pagestyle thispagestyle pagenumbering hypersetup geometry lstset includegraphics index cline color phantom hphantom vphantom graphicspath theoremstyle selectlanguage fontfamily fontseries fontshape nocite newcounter stepcounter refstepcounter usetikzlibrary newtheorem pdfbookmark lstdefinestyle captionsetup usetheme bibliography addbibresource ensuremath@ vskip@ linespread columnwidth@ PassOptionsToPackage@ newif@ cmidrule newlength thanks@ setmainfont setmonofont setsansfont setmainlanguage date@ hyphenation',
    ],
    [
      2,
      'setlength addtolength setcounter addtocounter textcolor@ fontsize newenvironment@ definecolor@ PassOptionsToPackage numberwithin titlespacing@ addcontentsline@ rule@ crefname@ DeclareMathOperator',
    ],
    [
      3,
      'definecolor newenvironment renewenvironment addcontentsline lstdefinelanguage crefname titleformat@',
    ],
  ].flatMap(([count, names]) =>
    String(names)
      .split(' ')
      .filter((name) => !name.endsWith('@'))
      .map((name) => [name, Number(count)]),
  ),
);

/** Commands whose first argument is no text, but the last one. */
export const LAST_ONLY: Readonly<Record<string, number>> = {
  textcolor: 1,
  hypertarget: 1,
  hyperlink: 1,
  colorbox: 1,
  multirow: 2,
  parbox: 1,
  raisebox: 1,
  resizebox: 2,
  scalebox: 1,
  rotatebox: 1,
  rule: 2,
  foreignlanguage: 1,
  fontsize: 2,
  href: 0,
};

export const ELEMENTS: Readonly<Record<string, string>> = {
  textbf: 'b',
  textit: 'i',
  emph: 'i',
  textsl: 'i',
  texttt: 'code',
  code: 'code',
  lstinline: 'code',
  textsuperscript: 'sup',
  textsubscript: 'sub',
};

/** Environments by what they are. */
export const LISTS: Readonly<Record<string, 'ul' | 'ol' | 'dl'>> = {
  itemize: 'ul',
  enumerate: 'ol',
  description: 'dl',
  // Of compactitem, compactenum and compactdesc.
  item: 'ul',
  enum: 'ol',
  desc: 'dl',
};
export const MATH = /^(?:equation|align|gather|multline|eqnarray|displaymath|math|flalign|alignat)\*?$/;
export const TABLES = /^(?:tabular|tabularx|tabulary|longtable|array|supertabular|xltabular)\*?$/;
export const HIDDEN = /^(?:comment|tikzpicture|pgfpicture|picture|filecontents)\*?$/;
/** Environments with an argument in braces. */
export const WITH_ARGUMENT =
  /^(?:minipage|multicols|columns?|wrapfigure|adjustwidth|thebibliography|longtable|tabular|tabular\*|tabularx|array|minted|CSLReferences)$/;

export const REFERENCE =
  /^(?:ref|eqref|autoref|cref|Cref|pageref|nameref|vref|cite[a-z]*|footcite|parencite|textcite)$/;

/** Levels of headings, from the one of a section. */
export const HEADINGS: Readonly<Record<string, number>> = {
  part: -2,
  chapter: -1,
  section: 0,
  subsection: 1,
  subsubsection: 2,
  paragraph: 3,
  subparagraph: 4,
  frametitle: 0,
};

const NAMED = /^(?:theorem|lemma|corollary|proposition|definition|example|remark|proof|claim|exercise)\*?$/;

/** The name of a theorem, or the title of a box, in the options of its environment. */
export function titleIn(environment: string, options: string): string {
  if (NAMED.test(environment) && !/^\s*[\w-]+\s*=/.test(options)) return options;
  const [, braced, plain = ''] =
    /\b(?:title|name)\s*=\s*(?:\{([^{}]{0,500})\}|([^,{}]{1,500}))/.exec(options) ?? [];
  return braced ?? plain;
}

/** A unit of siunitx in words: `\mega\byte` is "megabyte", `\metre\per\second` "metre/second". */
export const unitText = (unit: string): string =>
  unit
    .replace(/\\per(?![a-z])\s*/gi, '/')
    .replace(
      /\\(kilo|mega|giga|tera|peta|milli|micro|nano|pico|centi|deci|hecto|kibi|mebi|gibi|tebi)(?![a-z])\s*\\?/gi,
      '$1',
    )
    .replace(/\\(squared|cubed)(?![a-z])/gi, ' $1')
    .replace(/\\/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/ ?\/ ?/g, '/')
    .trim();
