import { memoryStoreContract } from '../contract/memory-store.contract.js';
import { memoryWriterContract } from '../contract/memory-writer.contract.js';
import { aSqliteMemory, aSqliteMemoryPlace, inProcessMemory } from '../contract/sqlite-memory-subjects.js';

// The same on a thread: test/acceptance/memory.acceptance-spec.ts.
memoryStoreContract('SqliteReader, memory', () => aSqliteMemory(inProcessMemory));

memoryWriterContract('MemoryWriter', () => aSqliteMemoryPlace(inProcessMemory));
