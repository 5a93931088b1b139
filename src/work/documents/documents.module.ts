import { Module } from '@nestjs/common';
import { ClassifyDocumentService } from './classifying/classify-document.service.js';
import { ClassifyDocumentTool } from './classifying/classify-document.tool.js';
import { ExtractTablesService } from './extracting/extract-tables.service.js';
import { ExtractTablesTool } from './extracting/extract-tables.tool.js';
import { ParseDocumentService } from './parsing/parse-document.service.js';
import { ParseDocumentTool } from './parsing/parse-document.tool.js';
import { DocumentSourceService } from './source/document-source.service.js';

export const DOCUMENT_TOOLS = [ParseDocumentTool, ExtractTablesTool, ClassifyDocumentTool];

@Module({
  controllers: DOCUMENT_TOOLS,
  providers: [DocumentSourceService, ParseDocumentService, ExtractTablesService, ClassifyDocumentService],
})
export class DocumentsModule {}
