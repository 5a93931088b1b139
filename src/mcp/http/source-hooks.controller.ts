import { createHmac } from 'node:crypto';
import {
  Controller,
  HttpCode,
  HttpException,
  Inject,
  NotFoundException,
  Param,
  Post,
  Req,
  UnauthorizedException,
} from '@nestjs/common';
import type { Request } from 'express';
import { HttpConfig } from '../../config/settings/http.config.js';
import { INDEX_BUILD, type IndexBuild } from '../../core/ports/index-build.js';
import { bodyBytes, UnreadableBody } from './body-bytes.js';
import { isSameToken } from './http-security.js';

/** Headers with HMAC-SHA-256 of the body in hexadecimal digits: GitHub, Bitbucket, Gitea, Forgejo, others. */
const SIGNATURES = [
  'x-hub-signature-256',
  'x-hub-signature',
  'x-gitea-signature',
  'x-forgejo-signature',
  'x-pith-signature',
];
/** GitLab sends the secret itself. */
const TOKEN = 'x-gitlab-token';

async function readBody(request: Request, limit: number): Promise<Buffer> {
  try {
    return await bodyBytes(request, limit);
  } catch (error) {
    if (error instanceof UnreadableBody) throw new HttpException(error.message, error.status);
    throw error;
  }
}

/** Messages of sources that have changed, as forges send them after a push. Only the signature counts, not what they say. */
@Controller('hooks/sources')
export class SourceHooksController {
  constructor(
    @Inject(INDEX_BUILD) private readonly build: IndexBuild | null,
    private readonly http: HttpConfig,
  ) {}

  @Post(':name')
  @HttpCode(202)
  async accept(@Req() request: Request, @Param('name') name: string) {
    const secret = this.build?.hooks?.secretFor(name) ?? null;
    if (secret === null)
      throw new NotFoundException('No source of this name has a webhook: see hook_secret.');
    if (!(await this.isSigned(request, secret)))
      throw new UnauthorizedException(
        'The signature is missing or wrong. Compare the secret with hook_secret.',
      );
    this.build?.hooks?.update(name);
    return { status: 'accepted' };
  }

  private async isSigned(request: Request, secret: string): Promise<boolean> {
    const token = request.get(TOKEN);
    if (token !== undefined) return isSameToken(token, secret);
    const given = SIGNATURES.flatMap((header) => request.get(header) ?? []);
    // A body without a signature is not read.
    if (given.length === 0) return false;
    const body = await readBody(request, this.http.bodyBytes);
    const expected = createHmac('sha256', secret).update(body).digest('hex');
    return given.some((each) => isSameToken(each.replace(/^sha256=/, '').toLowerCase(), expected));
  }
}
