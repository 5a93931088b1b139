import { Module } from '@nestjs/common';
import { ClassifyDocumentService } from './classify-document.service.js';
import { DocumentSourceService } from './document-source.service.js';
import { DOCUMENT_TOOLS } from './documents.tools.js';
import { ExtractTablesService } from './extract-tables.service.js';
import { ParseDocumentService } from './parse-document.service.js';

@Module({
  controllers: DOCUMENT_TOOLS,
  providers: [DocumentSourceService, ParseDocumentService, ExtractTablesService, ClassifyDocumentService],
})
export class DocumentsModule {}
