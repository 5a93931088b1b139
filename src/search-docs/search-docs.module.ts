import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CorpusPromptHandler } from './documents/corpus.prompt.js';
import { DocumentResource } from './documents/document.resource.js';
import { DocumentsService } from './documents/documents.service.js';
import { GetDocService } from './get-doc.service.js';
import { GetDocTool } from './get-doc.tool.js';
import { PromptsService } from './documents/prompts.service.js';
import { SearchDocsService } from './search-docs.service.js';
import { SearchDocsTool } from './search-docs.tool.js';

export const DOCS_TOOLS = [SearchDocsTool, GetDocTool];

/** The documents by readable ids, under the names that the search_docs contract has for tools and fields. */
@Module({})
export class DocsModule {
  /** @param isOn  whether there are documents and prompts to be had, too; tools are there and refuse if not */
  static register(isOn: boolean): DynamicModule {
    return {
      module: DocsModule,
      controllers: [...DOCS_TOOLS, ...(isOn ? [DocumentResource, CorpusPromptHandler] : [])],
      providers: [SearchDocsService, GetDocService, ...(isOn ? [DocumentsService, PromptsService] : [])],
    };
  }
}
