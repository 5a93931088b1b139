import type { McpServer } from '@modelcontextprotocol/server';
import { LogLevels } from '../../../../src/mcp/transport/call-runner.js';

const server = () => ({}) as McpServer;

describe('LogLevels', () => {
  it('keeps the level of a session for all its requests, each of which has a server of its own', () => {
    const levels = new LogLevels();
    levels.set(server(), 's1', 'info');
    expect([levels.get(server(), 's1'), levels.get(server(), 's2')]).toEqual(['info', null]);
  });

  it('keeps the level of a connection without a session id', () => {
    const levels = new LogLevels();
    const connected = server();
    levels.set(connected, null, 'error');
    expect([levels.get(connected, null), levels.get(server(), null)]).toEqual(['error', null]);
  });

  it('forgets the oldest session when there are too many', () => {
    const levels = new LogLevels();
    for (let i = 0; i <= 10_000; i++) levels.set(server(), `s${i}`, 'debug');
    expect([levels.get(server(), 's0'), levels.get(server(), 's1')]).toEqual([null, 'debug']);
  });
});
