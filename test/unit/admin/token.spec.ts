import { tokenIn } from '../../../src/admin/token.js';

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
