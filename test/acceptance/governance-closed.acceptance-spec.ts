import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { runAndClose, STDOUT_AND_STDERR } from '../support/closed-server.js';
import { pinsIn } from '../support/governance-stores.js';
import { poll } from '../support/processes.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const file = folder.file('index.governance.sqlite');

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
}, 60_000);

afterAll(() => folder.remove());

it('nothing keeps the process of a server alive that has used the stores of governance and was closed', async () => {
  const ended = await runAndClose({ folder: folder.path, index }, () =>
    poll('noted tools', async () => {
      const pins = pinsIn({ file, creates: false });
      const known = await pins.pins('test').catch(() => []);
      await pins.close();
      return known.length > 0 || undefined;
    }),
  );
  expect(ended).toMatchObject({ code: 0, left: STDOUT_AND_STDERR });
});
