import { Module } from '@nestjs/common';
import { GetSchemaTool } from './get-schema.tool.js';
import { ListSchemasTool } from './list-schemas.tool.js';
import { RegisterSchemaTool } from './register-schema.tool.js';
import { RegisteredSchemasService } from './registered-schemas.service.js';
import { SchemasService } from './schemas.service.js';
import { ValidateValueTool } from './validate-value.tool.js';

export const SCHEMA_TOOLS = [RegisterSchemaTool, ValidateValueTool, GetSchemaTool, ListSchemasTool];

@Module({
  controllers: SCHEMA_TOOLS,
  providers: [SchemasService, RegisteredSchemasService],
  exports: [RegisteredSchemasService],
})
export class SchemasModule {}
