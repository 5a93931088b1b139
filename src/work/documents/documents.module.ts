import { Module } from '@nestjs/common';
import { ClassifyDocumentService } from './classifying/classify-document.service.js';
import { DOCUMENT_TOOLS } from './documents.tools.js';
import { ExtractTablesService } from './extracting/extract-tables.service.js';
import { ParseDocumentService } from './parsing/parse-document.service.js';
import { DocumentSourceService } from './source/document-source.service.js';

@Module({
  controllers: DOCUMENT_TOOLS,
  providers: [DocumentSourceService, ParseDocumentService, ExtractTablesService, ClassifyDocumentService],
})
export class DocumentsModule {}
