/** How a directive is converted. */
export type DirectiveKind =
  /** Shows nothing of the text around it, or only what a build adds. */
  | 'dropped'
  | 'toctree'
  | 'code'
  | 'admonition'
  | 'version'
  /** Shows its content; its argument tells how. */
  | 'content'
  /** Shows its argument and its content as text. */
  | 'text'
  /** Shows its argument as a title, and its content. */
  | 'titled'
  | 'table'
  | 'list-table'
  | 'csv-table'
  /** Describes something with a name: a function, an option, a command. */
  | 'object'
  /** Like `object` if it has content; without content, a name marks a place, and more words are text. */
  | 'unknown';

const NAMES: Readonly<Record<Exclude<DirectiveKind, 'unknown'>, string>> = {
  dropped: `contents index image raw meta currentmodule currentlibrary default-domain default-role highlight
    highlightlang include literalinclude sectionauthor codeauthor moduleauthor tabularcolumns sectnum section-numbering
    header footer target-notes graphviz digraph graph inheritance-diagram mermaid uml plantuml role date unicode replace
    testsetup testcleanup tableofcontents program video youtube bibliography footbibliography autosummary automodule ditaa
    namespace cpp:namespace restructuredtext-test-directive`,
  toctree: 'toctree',
  code: `code code-block sourcecode code-tab prompt parsed-literal console snippet ipython testcode doctest testoutput
    productionlist math code-cell command-output jupyter-execute cmake-module highlightblock`,
  admonition: 'note warning tip important caution danger attention hint error seealso todo',
  version: `versionadded versionchanged deprecated versionremoved deprecated-removed deprecated-since version-added
    version-changed version-deprecated version-removed`,
  content: 'only ifconfig container grid grid-item figure figure-md cssclass rst-class div dropdown-list',
  text: 'compound epigraph highlights pull-quote hlist glossary tabs tab-set tab-set-code parsed line-block acks',
  titled: `exercise solution admonition topic sidebar rubric centered tab tab-item group-tab dropdown card grid-item-card details collapse
    toggle accordion`,
  table: 'table',
  'list-table': 'list-table',
  'csv-table': 'csv-table',
  object: `function method class attribute data exception classmethod staticmethod property decorator decoratormethod
    describe object option envvar confval macro type struct enum enumerator union member var alias autofunction autoclass
    autoattribute automethod autodata autoexception autodecorator autoproperty cmdoption cmd-option variable command
    opcode pdbcommand describe`,
};

const KINDS: ReadonlyMap<string, DirectiveKind> = new Map(
  (Object.keys(NAMES) as Exclude<DirectiveKind, 'unknown'>[]).flatMap((kind) =>
    NAMES[kind].split(/\s+/).map((name) => [name, kind] as const),
  ),
);

/** @param name  in lower case, with or without the domain */
export function kindOf(name: string): DirectiveKind {
  return KINDS.get(name) ?? KINDS.get(name.slice(name.lastIndexOf(':') + 1)) ?? 'unknown';
}
