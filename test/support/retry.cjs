// Acceptance and engine tests start processes and measure times while four runners share two processors. A test that
// fails runs once more at the end of its suite; its first error is printed. A defect fails both times.
/* global jest */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
