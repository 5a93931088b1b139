import { Module } from '@nestjs/common';
import { InnerVoiceService } from './memory.service.js';
import { RetrieveMemoryTool } from './retrieve-memory.tool.js';

export const INNER_VOICE_TOOLS = [RetrieveMemoryTool];

/** Thoughts and facts that are like a question. */
@Module({ controllers: INNER_VOICE_TOOLS, providers: [InnerVoiceService] })
export class InnerVoiceModule {}
