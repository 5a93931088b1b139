import type { Type } from '@nestjs/common';
import { toolClasses } from '../../src/app.module.js';
import { GOVERNANCE } from '../../src/governance/governance.feature.js';
import { LEGACY } from '../../src/legacy/legacy.feature.js';
import { type AnyTool, definitionsOf } from '../../src/mcp/define-tool.js';
import { WORK } from '../../src/work/work.feature.js';

/** All features, in the order of the tool list. */
export const ALL_FEATURES = [GOVERNANCE, WORK, LEGACY];

/** Every tool, also those that are off, in the order of the tool list. */
export const TOOLS: readonly Type[] = toolClasses(ALL_FEATURES);

export const toolDefinitions = (): AnyTool[] => definitionsOf(TOOLS);
