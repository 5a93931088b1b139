import { Module } from '@nestjs/common';
import { RegisteredSchemasService } from './registered-schemas.service.js';
import { SchemasService } from './schemas.service.js';
import { SCHEMA_TOOLS } from './schemas.tools.js';

@Module({
  controllers: SCHEMA_TOOLS,
  providers: [SchemasService, RegisteredSchemasService],
  exports: [RegisteredSchemasService],
})
export class SchemasModule {}
