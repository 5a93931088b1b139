// src/search-docs: search_docs and get_doc, documents as resources, prompts
import { type DynamicModule, type FactoryProvider, Module, type ValueProvider } from '@nestjs/common';
import { SectionIndex } from '../core/ports/section-index.port.js';
import type { ScopeLimit } from '../core/scope.js';
import { KbModule } from '../kb/kb.module.js';
import { CorpusLists } from '../mcp/corpus-lists.js';
import { ScopeModule } from '../scope/scope.module.js';
import { ScopeService } from '../scope/scope.service.js';
import { ScratchModule } from '../scratch/scratch.module.js';
import { CorpusDirectory } from './corpus-directory.js';
import { CorpusPromptHandler } from './documents/corpus.prompt.js';
import { DocumentResource } from './documents/document.resource.js';
import { DocumentsService } from './documents/documents.service.js';
import { PromptsService } from './documents/prompts.service.js';
import { GetDocService } from './get-doc.service.js';
import { GetDocTool } from './get-doc.tool.js';
import { SearchDocsService } from './search-docs.service.js';
import { SearchDocsTool } from './search-docs.tool.js';
import { SearchFetchService } from './search-fetch/search-fetch.service.js';
import { FetchDocumentTool, SearchDocumentsTool } from './search-fetch/search-fetch.tools.js';

export const SEARCH_DOCS_TOOLS = [SearchDocsTool, GetDocTool, SearchDocumentsTool, FetchDocumentTool];

/** Maximum wait of a list for the index (ms). Clients request lists first, so an incomplete list is better than a late one. */
const LIST_WAIT_MS = 750;

function openDirectory(index: SectionIndex, scopes: ScopeService): CorpusLists {
  const scope = (limit: ScopeLimit) => scopes.forLists(Date.now(), limit);
  const directory = new CorpusDirectory(index, scope, LIST_WAIT_MS);
  // Reads the facts at start, so that the first list need not wait.
  void directory.facts({});
  return directory;
}

const DIRECTORY: FactoryProvider = {
  provide: CorpusLists,
  inject: [SectionIndex, ScopeService],
  useFactory: openDirectory,
};
const NO_DIRECTORY: ValueProvider = { provide: CorpusLists, useValue: null };

@Module({})
export class SearchDocsModule {
  /** @param isOn  if false, there are no documents, prompts or lists, and the tools refuse calls */
  static register(isOn: boolean): DynamicModule {
    return {
      module: SearchDocsModule,
      global: true,
      imports: [KbModule, ScopeModule, ScratchModule],
      controllers: [...SEARCH_DOCS_TOOLS, ...(isOn ? [DocumentResource, CorpusPromptHandler] : [])],
      providers: [
        SearchDocsService,
        GetDocService,
        SearchFetchService,
        ...(isOn ? [DocumentsService, PromptsService, DIRECTORY] : [NO_DIRECTORY]),
      ],
      exports: [CorpusLists],
    };
  }
}
