import type { Caller } from '../../core/call.js';
import type { CorpusFacts } from '../../core/corpus-facts.js';
import { nullIfLost } from '../../core/errors.js';
import { type Scope, WIDEST_SCOPE } from '../../core/scope.js';
import type { CorpusLists } from '../corpus-lists.js';
import type { CallerRules } from '../pipeline/caller-identity.js';
import { DOCUMENT_TOOL } from '../resource-requests.js';
import { mayCall } from '../surface/adapt-text.js';
import { readSkill, type SkillFile } from '../surface/skills.js';
import type { ToolState } from '../surface/surface.js';
import { readView } from '../surface/views.js';

/** The tools that find text of documents. Others that find such text stand for them. */
const FINDS_TEXT: readonly string[] = ['kb.retrieve_evidence', 'kb.search'];

const findsText = ({ definition: { name, standsFor = [] } }: ToolState): boolean =>
  [name, ...standsFor].some((each) => FINDS_TEXT.includes(each));

export interface ShownCorpusOptions {
  readonly rules: CallerRules;
  readonly now: () => number;
  /** Null when the corpus tools are turned off. */
  readonly corpus: CorpusLists | null;
}

/** Decides what lists and instructions say about the documents: nothing, if the caller can't read them at once. */
export class ShownCorpus {
  constructor(private readonly options: ShownCorpusOptions) {}

  /** The facts for texts that the caller receives. Null if it may read no document without an approval. */
  async facts(caller: Caller): Promise<CorpusFacts | null> {
    const facts = (await this.options.corpus?.facts(caller.scopeLimit)) ?? null;
    if (facts === null || this.mayRead(caller, WIDEST_SCOPE)) return facts;
    const scope = await this.scope(caller);
    return scope && this.mayRead(caller, scope) ? facts : null;
  }

  /** The skill for the caller; null if it may not call the tool that the skill explains. */
  async skill(caller: Caller): Promise<SkillFile | null> {
    const { corpus, rules } = this.options;
    const { surface } = rules;
    const about = (await this.facts(caller))?.description ?? null;
    const callable = [...surface.tools.values()].filter((tool) => mayCall(tool, surface, caller));
    const tools = callable.map(({ definition }) => definition);
    return corpus?.skill(about, tools) ?? null;
  }

  /** A resource that is part of the server: a view or the skill. Null for all others. */
  async readOwn(uri: string, caller: Caller): Promise<object | null> {
    if (uri.startsWith('ui:')) return readView(uri, caller, this.options.rules.surface);
    return uri.startsWith('skill:') ? readSkill(uri, await this.skill(caller)) : null;
  }

  /** True if the caller may read the documents that lists name. */
  async showsDocuments(caller: Caller): Promise<boolean> {
    if (!this.offers(caller, DOCUMENT_TOOL)) return false;
    const scope = await this.scope(caller);
    return !scope || this.allows(caller, DOCUMENT_TOOL, scope);
  }

  /** Prefixes of the templates that match nothing the caller may read. */
  async hiddenTemplates(caller: Caller): Promise<readonly string[]> {
    const { rules, corpus } = this.options;
    const { uriScheme, offersDiagnostics } = rules.surface;
    const showsDocuments =
      (await this.showsDocuments(caller)) && (await corpus?.offersDocuments(caller.scopeLimit));
    const showsDiagnostics = caller.isOperator && offersDiagnostics && this.offers(caller, 'diagnostics.get');
    return [
      ...(showsDocuments ? [] : ['docs:///']),
      ...(this.offers(caller, 'kb.read_excerpt') ? [] : [`${uriScheme}://scratch/`]),
      ...(showsDiagnostics ? [] : [`${uriScheme}://diagnostics/`]),
    ];
  }

  private mayRead(caller: Caller, scope: Scope): boolean {
    const { surface } = this.options.rules;
    return [...surface.tools.values()].some(
      (tool) =>
        findsText(tool) && mayCall(tool, surface, caller) && this.allows(caller, tool.definition.name, scope),
    );
  }

  /** The scope of lists; null if the index can't be read. */
  private async scope({ scopeLimit }: Caller): Promise<Scope | null> {
    return (await this.options.corpus?.scope(scopeLimit).catch(nullIfLost)) ?? null;
  }

  private allows(caller: Caller, tool: string, scope: Scope): boolean {
    const { rules, now } = this.options;
    return rules.surface.access.allows(caller, tool, { scope, now });
  }

  private offers(caller: Caller, name: string): boolean {
    return this.options.rules.surface.access.offers(caller, name);
  }
}
