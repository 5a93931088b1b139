import { applyDecorators, Controller, Get, Header, UseFilters, UseGuards } from '@nestjs/common';
import { AdminFilter } from './admin.filter.js';
import { AdminGuard } from './admin.guard.js';

/** A controller of the admin console: its guard and its errors. */
export const AdminController = (path: string): ClassDecorator =>
  applyDecorators(Controller(path), UseGuards(AdminGuard), UseFilters(AdminFilter));

/** A route that answers with a page. */
export const HtmlPage = (path = ''): MethodDecorator =>
  applyDecorators(Get(path), Header('Content-Type', 'text/html; charset=utf-8'));
