import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectClient } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { runPith } from '../support/run-pith.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const project = folder.file('project');
const inProject = (path: string): string => join(project, path);

beforeAll(async () => {
  writeFiles(folder.file('docs'), {
    '.pith.yaml': 'description: The rules of the harbour.\n',
    'berths.md': '# Berths\n\nA ship lies at a berth.\n',
  });
  writeFiles(project, { 'README.md': '# Project\n' });
  await pithIndex(folder.file('docs'), index);
});

afterAll(() => folder.remove());

const run = (...args: string[]) => runPith([...args, '--index', index], { cwd: project });

describe('pith skill', () => {
  it.each([
    ['claude-code', '.claude/skills/pith/SKILL.md'],
    ['codex', '.agents/skills/pith/SKILL.md'],
    ['gemini-cli', '.gemini/skills/pith/SKILL.md'],
  ])('writes the skill where %s reads it', async (host, path) => {
    expect(await run('skill', '--host', host)).toMatchObject({ code: 0 });
    expect(readFileSync(inProject(path), 'utf8')).toMatch(
      /^---\nname: pith\ndescription: ".*The rules of the harbour\./,
    );
  });

  it('prints it without writing, also without an index', async () => {
    const printed = await runPith(['skill', '--print', '--index', folder.file('none.sqlite')], {
      cwd: folder.path,
    });
    expect(printed).toMatchObject({ code: 0 });
    expect(printed.stdout).toMatch(/^---\nname: pith\n/);
    expect(existsSync(join(folder.path, '.claude'))).toBe(false);
  });

  it('replaces its own file, and one that was changed only if forced', async () => {
    const file = inProject('.claude/skills/pith/SKILL.md');
    await run('skill');
    const own = readFileSync(file, 'utf8');
    expect((await run('skill')).stdout).toContain('is up to date');
    writeFileSync(file, own.replace('## When to ask', '## Always ask'));
    const refused = await run('skill');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(file, 'utf8')).toContain('## Always ask');
    expect(await run('skill', '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(own);
  });
});

describe('pith doctor --write', () => {
  it.each([
    ['claude-code-plugin', '.claude-plugin/plugin.json'],
    ['codex-plugin', '.mcp.json'],
    ['gemini-cli-extension', 'gemini-extension.json'],
  ])('writes a %s whose server starts and answers', async (id, path) => {
    expect(await run('doctor', '--write', id)).toMatchObject({ code: 0 });
    const root = inProject(`.pith/plugins/${id}/pith`);
    const { mcpServers } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      mcpServers: { pith: { command: string; args: string[] } };
    };
    expect(readFileSync(join(root, 'skills/pith/SKILL.md'), 'utf8')).toContain('The rules of the harbour.');
    const { command, args } = mcpServers.pith;
    expect([command, args.slice(1)]).toEqual([process.execPath, ['stdio', '--index', index]]);
    const client = await connectClient({ era: 'v1', transport: 'stdio', index: String(args.at(-1)) });
    expect((await client.listTools()).length).toBeGreaterThan(0);
    await client.close();
  });

  it('changes nothing the second time, and keeps a copy of a file that was changed', async () => {
    const file = inProject('.pith/plugins/gemini-cli-extension/pith/gemini-extension.json');
    expect((await run('doctor', '--write', 'gemini-cli-extension')).stdout).toContain(
      `${file} is up to date.`,
    );
    writeFileSync(file, '{}');
    const { stdout } = await run('doctor', '--write', 'gemini-cli-extension');
    const [, copy = ''] = /the previous file is (.+\.before-pith-.+)\.$/m.exec(stdout) ?? [];
    expect(readFileSync(copy, 'utf8')).toBe('{}');
  });
});
