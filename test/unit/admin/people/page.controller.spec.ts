import type { Request, Response } from 'express';
import { SearchPageController } from '../../../../src/admin/people/page.controller.js';
import { FailedPageCall, type PageCalls } from '../../../../src/admin/people/page-calls.service.js';
import type { DiagnosticWriter } from '../../../../src/diagnostics/archive/diagnostic-writer.js';
import type { Credentials } from '../../../../src/mcp/http/credentials.js';

describe('SearchPageController', () => {
  it('looks for a missing document and its other names with two calls, and for no similar path', async () => {
    const asked: unknown[] = [];
    const find = async (_: unknown, __: unknown, args: unknown) => (asked.push(args), null);
    const call = (_: unknown, __: unknown, args: unknown) => (
      asked.push(args),
      Promise.reject(new FailedPageCall(null))
    );
    const pages = new SearchPageController(
      { find, call } as unknown as PageCalls,
      {} as Credentials,
      {} as DiagnosticWriter,
    );
    const request = { path: '/read/x' } as Request;
    await expect(pages.read({}, request, {} as Response)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(asked.map((args) => Object(args).nearest.length)).toEqual([0, 8]);
  });
});
