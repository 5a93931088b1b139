// src/memory: memory: import, recall, trust; inner_voice.retrieve
import { Module } from '@nestjs/common';
import { InnerVoiceService } from './memory.service.js';
import { RetrieveMemoryTool } from './retrieve-memory.tool.js';

export const INNER_VOICE_TOOLS = [RetrieveMemoryTool];

/** Retrieval of thoughts and knowledge graph facts that are similar to a question. */
@Module({ controllers: INNER_VOICE_TOOLS, providers: [InnerVoiceService] })
export class InnerVoiceModule {}
