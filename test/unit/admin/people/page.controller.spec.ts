import type { Request, Response } from 'express';
import { SearchPageController } from '../../../../src/admin/people/page.controller.js';
import type { PageCalls } from '../../../../src/admin/people/page-calls.service.js';
import type { DiagnosticWriter } from '../../../../src/diagnostics/archive/diagnostic-writer.js';

describe('SearchPageController', () => {
  it('looks for a document by few names, and for no similar path', async () => {
    const asked: unknown[] = [];
    const calls = { find: async (_: unknown, __: unknown, args: unknown) => (asked.push(args), null) };
    const facts = { hasConsole: false };
    const pages = new SearchPageController(calls as unknown as PageCalls, facts, {} as DiagnosticWriter);
    const request = { path: '/read/x' } as Request;
    await expect(pages.read({}, request, {} as Response)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(asked).toHaveLength(9);
    expect(asked.filter((args) => Object(args).nearest !== false)).toEqual([]);
  });
});
