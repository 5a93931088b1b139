import { createHash } from 'node:crypto';
import fs, { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ENCODER, type PinnedPart } from '../../../../src/config/installed-model.js';
import { installModel, removeModel } from '../../../../src/engines/commands/model.command.js';
import { commandOutput } from '../../../support/command-output.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

const CONTENTS = { 'a.bin': 'first file', 'b.bin': 'the second file' };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const part: PinnedPart = {
  folder: 'part-1',
  files: Object.entries(CONTENTS).map(([name, text]) => ({ name, bytes: text.length, sha256: sha256(text) })),
};
const PARTS = [{ part, url: (name: string) => `https://example.org/${name}` }];
const install = (...from: readonly string[]) => installModel(from, PARTS);

function given(name: keyof typeof CONTENTS): string {
  const path = folder.file(`given-${name}`);
  writeFileSync(path, CONTENTS[name]);
  return path;
}

let place: string;
const contentOf = (name: string) => readFileSync(join(place, part.folder, name), 'utf8');

describe('pith model install', () => {
  const output = commandOutput();
  let tests = 0;
  beforeEach(() => {
    place = folder.file(`models-${tests++}`);
    process.env['PITH_MODEL_FOLDER'] = place;
  });

  it('installs the files of several sources, and leaves no others', async () => {
    await install(given('a.bin'), given('b.bin'));
    expect(readdirSync(join(place, part.folder)).sort()).toEqual(['a.bin', 'b.bin']);
    expect(output.text).toContain(`installed in ${place}`);
  });

  it('keeps what was found, so that a second run brings the rest', async () => {
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    await expect(install(given('a.bin'))).rejects.toMatchObject({
      reason: 'model_not_found',
      hint: expect.stringContaining('https://example.org/b.bin'),
    });
    const lines = stderr.mock.calls.join('').split('\n');
    expect(lines).toContain(
      `  b.bin (${CONTENTS['b.bin'].length} bytes, SHA-256 ${sha256(CONTENTS['b.bin'])})`,
    );
    expect(lines.join()).not.toContain('a.bin');
    await install(given('b.bin'));
    expect([contentOf('a.bin'), contentOf('b.bin')]).toEqual(Object.values(CONTENTS));
  });

  it('replaces an installed file that is damaged', async () => {
    await install(given('a.bin'), given('b.bin'));
    writeFileSync(join(place, part.folder, 'a.bin'), 'FIRST FILE');
    await install(given('a.bin'));
    expect(contentOf('a.bin')).toBe(CONTENTS['a.bin']);
  });

  it('lets two installations run at once', async () => {
    const temporary: string[] = [];
    const rename = jest
      .spyOn(fs, 'renameSync')
      .mockImplementation((from) => void temporary.push(basename(String(from))));
    await install(given('a.bin'), given('b.bin'));
    rename.mockRestore();
    const id = String(process.pid);
    expect(temporary).toContain(`a.bin.${id}.new`);
    expect(temporary.filter((name) => !name.includes(id))).toEqual([]);
  });

  it.each([
    ["a folder that can't be made", () => writeFileSync(place, 'a file')],
    [
      "a file that can't be replaced",
      () => fs.mkdirSync(join(place, part.folder, 'a.bin', 'x'), { recursive: true }),
    ],
  ])('says what to do about %s', async (_, prepare) => {
    prepare();
    await expect(install(given('a.bin'), given('b.bin'))).rejects.toMatchObject({
      reason: 'model_folder_not_writable',
      message: expect.stringContaining(place),
      hint: expect.stringContaining('PITH_MODEL_FOLDER'),
    });
  });

  it('removes what is installed, and says when nothing is', async () => {
    removeModel();
    expect(output.text).toContain('not installed');
    output.clear();
    fs.mkdirSync(join(place, ENCODER.folder), { recursive: true });
    removeModel();
    expect(output.text).toContain('Removed');
    expect(readdirSync(place)).toEqual([]);
  });
});
