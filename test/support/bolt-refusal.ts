/** Start of a Bolt connection: the magic number and four proposed versions. */
const MAGIC = Buffer.of(0x60, 0x60, 0xb0, 0x17);
/** Bolt 5.4. */
const VERSION = Buffer.of(0, 0, 4, 5);

const text = (value: string): Buffer => Buffer.concat([Buffer.of(0xd0, value.length), Buffer.from(value)]);

/** A message FAILURE with this code, as one chunk. */
function failure(code: string, message: string): Buffer {
  const fields = [text('code'), text(code), text('message'), text(message)];
  const body = Buffer.concat([Buffer.of(0xb1, 0x7f, 0xa2), ...fields]);
  return Buffer.concat([Buffer.of(body.length >> 8, body.length & 0xff), body, Buffer.of(0, 0)]);
}

/** The responses of Neo4j to an unknown user: first a version, then the error for a wrong password. */
export function boltRefusal(sent: Buffer): Buffer {
  if (sent.subarray(0, 4).equals(MAGIC)) return VERSION;
  return failure('Neo.ClientError.Security.Unauthorized', 'The client is unauthorized.');
}
