import { memoryStoreContract } from './memory-store.contract.js';
import { memoryWriterContract } from './memory-writer.contract.js';
import { aSqliteMemory, aSqliteMemoryPlace, inProcessMemory } from './sqlite-memory-subjects.js';

// The same on a thread: test/acceptance/memory.acceptance-spec.ts.
memoryStoreContract('InProcessMemoryStore', () => aSqliteMemory(inProcessMemory));

memoryWriterContract('SqliteMemoryWriter', () => aSqliteMemoryPlace(inProcessMemory));
