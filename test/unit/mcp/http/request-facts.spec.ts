import type { Socket } from 'node:net';
import { addressOf, hostNameOf, isFromHere, tokenIn } from '../../../../src/mcp/http/request-facts.js';

const request = (remoteAddress: string, headers = {}) => ({ socket: { remoteAddress }, headers }) as never;

describe('isFromHere', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('is true for %s', (address) => {
    expect(isFromHere(request(address))).toBe(true);
  });

  it.each(['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '', 'localhost.evil.example'])(
    'is false for %j',
    (address) => {
      expect(isFromHere(request(address))).toBe(false);
    },
  );

  it.each([
    ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'],
    ...['cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'x-envoy-external-address'],
  ])('is false behind a proxy that sets %s', (name) => {
    expect(isFromHere(request('127.0.0.1', { [name]: '' }))).toBe(false);
  });
});

describe('hostNameOf', () => {
  it.each([
    ['127.0.0.1:7484', '127.0.0.1'],
    ['LOCALHOST', 'localhost'],
    ['[::1]:7484', '[::1]'],
    ['evil.example', 'evil.example'],
    ['localhost@evil.example', ''],
    ['localhost/..', ''],
    ['', ''],
    [undefined, ''],
  ])('reads %j as %j', (host, name) => {
    expect(hostNameOf({ headers: { host } } as never)).toBe(name);
  });
});

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('tokenIn', () => {
  it.each([
    ['Bearer secret', 'secret'],
    ['bearer   secret ', 'secret'],
    [basic('anybody:secret'), 'secret'],
    [basic(':secret'), 'secret'],
    [basic('name:with:colons'), 'with:colons'],
    ['Bearer', null],
    ['Digest secret', null],
    ['secret', null],
    ['', null],
    [undefined, null],
  ])('reads %j as %j', (header, token) => {
    expect(tokenIn(header)).toBe(token);
  });
});

describe('addressOf', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
  ])('is that of %s without the port of the connection', (ip, address) => {
    expect(addressOf({ ip, socket: {} as Socket })).toBe(address);
  });
});
