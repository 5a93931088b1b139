// src/memory: import, recall and trust of memories; the tool inner_voice.retrieve
import { Module } from '@nestjs/common';
import { MemoryService } from './memory.service.js';
import { RetrieveMemoryTool } from './retrieve-memory.tool.js';

export const MEMORY_TOOLS = [RetrieveMemoryTool];

/** Retrieval of thoughts and knowledge graph facts that are similar to a question. */
@Module({ controllers: MEMORY_TOOLS, providers: [MemoryService] })
export class MemoryModule {}
