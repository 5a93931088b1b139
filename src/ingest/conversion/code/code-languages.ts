import type { Node } from '@vscode/tree-sitter-wasm';

/**
 * The part that a node of a grammar plays. `inside`: only its content counts. `outer`: a wrapper that is a part of the declaration.
 * `module`: the comment at the start of a file is about it. `function`: shown without its body. `class`: the same, with members in its body. `type`: shown as a whole, with
 * members. `whole`: shown as a whole. `value`: the same, and left out if it has no documentation and others are next to it.
 * `member`: shown as a whole if it is documented.
 */
type Kind = 'inside' | 'outer' | 'module' | 'function' | 'class' | 'type' | 'whole' | 'value' | 'member';

/** Where a declaration stands. */
export interface CodePlace {
  /** The name of the class or module around it; '' for none. */
  readonly owner: string;
  /** Type of the node around it. */
  readonly around: string;
  /** True if what is around it is public. */
  readonly isShown: boolean;
  /** True within an `export`. */
  readonly isExported: boolean;
}

export interface CodeLanguage {
  /** The language in a fence. */
  readonly name: string;
  readonly grammar: string;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly isPublic: (node: Node, name: string, place: CodePlace) => boolean;
}

const kinds = (types: Partial<Record<Kind, string>>): ReadonlyMap<string, Kind> =>
  new Map(
    KINDS.flatMap((kind) => (types[kind] ?? '').split(' ').map((type) => [type, kind] as const)).filter(
      ([type]) => type !== '',
    ),
  );

const KINDS = ['inside', 'outer', 'module', 'function', 'class', 'type', 'whole', 'value', 'member'] as const;

const PYTHON: CodeLanguage = {
  name: 'python',
  grammar: 'python',
  kinds: kinds({
    inside: 'if_statement elif_clause else_clause try_statement except_clause finally_clause block',
    outer: 'decorated_definition expression_statement',
    function: 'function_definition',
    class: 'class_definition',
    member: 'assignment',
  }),
  isPublic: (_, name, { isShown }) => isShown && !name.startsWith('_'),
};

/** A word in the modifiers of a member, in any order. */
const hasModifier = (node: Node, word: RegExp): boolean =>
  node.namedChildren.some((child) => /modifier/.test(child?.type ?? '') && word.test(child?.text ?? ''));

const script = (name: string, grammar: string): CodeLanguage => ({
  name,
  grammar,
  kinds: kinds({
    outer:
      'export_statement ambient_declaration expression_statement lexical_declaration variable_declaration',
    function:
      'function_declaration generator_function_declaration function_signature method_definition method_signature abstract_method_signature',
    class: 'class_declaration abstract_class_declaration internal_module module',
    type: 'interface_declaration',
    whole: 'type_alias_declaration enum_declaration',
    value: 'variable_declarator',
    member: 'assignment_expression public_field_definition field_definition property_signature',
  }),
  isPublic: (node, name, { isShown, isExported, around }) =>
    /_body$/.test(around)
      ? isShown && !name.startsWith('#') && !hasModifier(node, /^(?:private|protected)$/)
      : isExported,
});

const GO: CodeLanguage = {
  name: 'go',
  grammar: 'go',
  kinds: kinds({
    outer: 'type_declaration const_declaration var_declaration',
    module: 'package_clause',
    function: 'function_declaration method_declaration',
    whole: 'type_spec type_alias',
    value: 'const_spec var_spec',
  }),
  isPublic: (_, name) => /^\p{Lu}/u.test(name),
};

const RUST: CodeLanguage = {
  name: 'rust',
  grammar: 'rust',
  kinds: kinds({
    function: 'function_item function_signature_item',
    class: 'mod_item impl_item trait_item',
    whole: 'struct_item enum_item union_item type_item const_item static_item',
    member: 'macro_definition associated_type',
  }),
  isPublic: (node, _, { isShown, around }) =>
    isShown && (around === 'trait_item' || hasModifier(node, /^pub$/)),
};

const JAVA: CodeLanguage = {
  name: 'java',
  grammar: 'java',
  kinds: kinds({
    outer: 'enum_body_declarations',
    module: 'package_declaration',
    function:
      'method_declaration constructor_declaration compact_constructor_declaration annotation_type_element_declaration',
    class: 'class_declaration interface_declaration record_declaration annotation_type_declaration',
    type: 'enum_declaration',
    member: 'field_declaration constant_declaration enum_constant',
  }),
  isPublic: (node, _, { isShown, around }) =>
    isShown &&
    (/^(?:interface|annotation_type)_body$/.test(around)
      ? !hasModifier(node, /\bprivate\b/)
      : hasModifier(node, /\bpublic\b/)),
};

const TYPESCRIPT = script('ts', 'typescript');
const JAVASCRIPT = script('js', 'javascript');

/** By extension. `CODE_EXTENSIONS` of `formats.ts` lists the same. */
export const CODE_LANGUAGES: ReadonlyMap<string, CodeLanguage> = new Map([
  ...['py', 'pyi'].map((name) => [name, PYTHON] as const),
  ...['ts', 'mts', 'cts'].map((name) => [name, TYPESCRIPT] as const),
  ['tsx', script('tsx', 'tsx')],
  ...['js', 'mjs', 'cjs', 'jsx'].map((name) => [name, JAVASCRIPT] as const),
  ['go', GO],
  ['rs', RUST],
  ['java', JAVA],
]);
