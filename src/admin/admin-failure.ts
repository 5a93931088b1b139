const ADMIN_FAILURES = {
  INVALID_ARGUMENT: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  BACKEND_UNAVAILABLE: 503,
} as const;

type AdminFailureCode = keyof typeof ADMIN_FAILURES;

/** The error of an admin request, with the next step. */
export class AdminFailure extends Error {
  readonly status: number;

  constructor(
    readonly code: AdminFailureCode,
    message: string,
    readonly hint: string,
  ) {
    super(message);
    this.name = 'AdminFailure';
    this.status = ADMIN_FAILURES[code];
  }
}
