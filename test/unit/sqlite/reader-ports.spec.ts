import { makePort, type ReaderTask, type TaskRunner } from '../../../src/sqlite/reader-ports.js';

const SCOPE = { projectId: 'p', environment: 'e', docTags: null, repositories: null };

function aRunner(): { readonly runner: TaskRunner; readonly tasks: (ReaderTask | 'close')[] } {
  const tasks: (ReaderTask | 'close')[] = [];
  const runner = {
    ask: async (task: ReaderTask) => (tasks.push(task), 'the answer'),
    close: async () => void tasks.push('close'),
  };
  return { runner, tasks };
}

describe('makePort', () => {
  it('turns a call into a task and returns its answer', async () => {
    const { runner, tasks } = aRunner();
    expect(await makePort('sections', runner).facts(SCOPE, 5)).toBe('the answer');
    expect(tasks).toEqual([{ port: 'sections', method: 'facts', args: [SCOPE, 5] }]);
  });

  it('closes its runner', async () => {
    const { runner, tasks } = aRunner();
    await makePort('graph', runner).close();
    expect(tasks).toEqual(['close']);
  });

  it('has only the methods of the port, so that Nest finds no lifecycle hooks', () => {
    expect(Object.keys(makePort('memory', aRunner().runner))).toEqual(['candidates', 'close']);
  });
});
