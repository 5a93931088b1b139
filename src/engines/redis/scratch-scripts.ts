import { createHash } from 'node:crypto';
import { NAME_CHARS } from '../scratch-records.js';
import { SEALER_BYTES } from './key-ring.js';
import { BORN_BYTES } from './sealed-passages.js';

/** Redis memory per passage besides its record: its name is stored five times. Measured with Redis 7: 630 to 870. */
const OVERHEAD_BYTES = 768;
/** Redis rounds each allocation up, by up to a quarter. */
const ROUNDING = 1.25;

// Limit of expired passages removed by one call, so that it does not block Redis for long.
const MAX_EXPIRED = 1_000;

/*
 * All keys of a project and environment start with KEYS[1]; %name stands for a name of `ScratchNames`.
 *   :p:%session.%passage   the record, with an expiry
 *   :s:%session            sorted set of its passages by last use
 *   :use                   sorted set of all passages by last use, in microseconds; all scores differ
 *   :sizes                 hash of each passage's counted size
 *   :sum                   hash: bytes (total size), last (time of the last use)
 * ARGV[1] of each script is the time to live in ms. Each script returns {passages, bytes, evicted, expired, ...}.
 * Redis runs scripts atomically, so replicas can't disturb the order or the sums.
 */
const COMMON = `
local prefix, ttl = KEYS[1], tonumber(ARGV[1])
local use, sizes, sum = prefix .. ':use', prefix .. ':sizes', prefix .. ':sum'
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local bytes = tonumber(redis.call('HGET', sum, 'bytes') or '0')
local last = tonumber(redis.call('HGET', sum, 'last') or '0')
local evicted, expired = 0, 0

-- Redis writes numbers with 14 digits; microseconds have 16.
local function digits(number) return string.format('%.0f', number) end

local function sessionOf(name) return prefix .. ':s:' .. string.sub(name, 1, ${NAME_CHARS}) end

local function count(name, record)
  local size = math.ceil(#record * ${ROUNDING}) + ${OVERHEAD_BYTES}
  bytes = bytes + size - tonumber(redis.call('HGET', sizes, name) or '0')
  redis.call('HSET', sizes, name, size)
end

local function forget(name)
  bytes = bytes - tonumber(redis.call('HGET', sizes, name) or '0')
  redis.call('HDEL', sizes, name)
  redis.call('ZREM', use, name)
  redis.call('ZREM', sessionOf(name), name)
  redis.call('DEL', prefix .. ':p:' .. name)
end

local function touch(name)
  last = math.max(now, last + 1)
  redis.call('ZADD', use, digits(last), name)
  redis.call('ZADD', sessionOf(name), digits(last), name)
  redis.call('PEXPIRE', sessionOf(name), ttl)
end

local function dropExpired()
  local over = digits(now - ttl * 1000)
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', use, '-inf', over, 'LIMIT', 0, ${MAX_EXPIRED})) do
    forget(name)
    expired = expired + 1
  end
end

local function makeRoom(most)
  if bytes > most then dropExpired() end
  while bytes > most do
    local name = redis.call('ZRANGE', use, 0, 0)[1]
    if not name then break end
    forget(name)
    evicted = evicted + 1
  end
end

-- The index expires with the passage that was used last.
local function answer(isUsed, rest)
  local passages = redis.call('ZCARD', use)
  if passages == 0 then bytes = 0 end
  if passages > 0 then
    redis.call('HSET', sum, 'bytes', digits(bytes), 'last', digits(last))
    if isUsed then
      for _, key in ipairs({use, sizes, sum}) do redis.call('PEXPIRE', key, ttl) end
    end
  end
  if passages == 0 then redis.call('DEL', sizes, sum) end
  local reply = {passages, digits(bytes), evicted, expired}
  for _, one in ipairs(rest) do table.insert(reply, one) end
  return reply
end
`;

/** Makes a Redis script; `sha` is the SHA-1 of the text, for EVALSHA. */
function script(body: string) {
  const text = `${COMMON}\n${body}`;
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** A Redis script. */
export type Script = ReturnType<typeof script>;

/** ARGV: ttl, byte limit, then name and record of each passage. */
export const PUT = script(`
local most = tonumber(ARGV[2])
for i = 3, #ARGV, 2 do
  local name, record = ARGV[i], ARGV[i + 1]
  local key = prefix .. ':p:' .. name
  -- Keeps the time of creation, unless another key has encrypted it, since that key may be removed soon.
  local born = redis.call('GETRANGE', key, 0, ${BORN_BYTES - 1})
  if string.sub(born, 1, ${SEALER_BYTES}) == string.sub(record, 1, ${SEALER_BYTES}) then
    record = born .. string.sub(record, ${BORN_BYTES + 1})
  end
  redis.call('SET', key, record, 'PX', ttl)
  count(name, record)
  touch(name)
end
makeRoom(most)
return answer(true, {})
`);

/** ARGV: ttl, name. Returns the record, if there is one. */
export const GET = script(`
local name = ARGV[2]
local key = prefix .. ':p:' .. name
local record = redis.call('GET', key)
if not record then
  if redis.call('ZSCORE', use, name) then
    forget(name)
    expired = 1
  end
  return answer(false, {})
end
redis.call('PEXPIRE', key, ttl)
if redis.call('HEXISTS', sizes, name) == 0 then count(name, record) end
touch(name)
return answer(true, {record})
`);

/** ARGV: ttl, session, limit. Returns name, record and remaining milliseconds of each passage. */
export const LIST = script(`
dropExpired()
local session, most = prefix .. ':s:' .. ARGV[2], tonumber(ARGV[3])
local found, gone, start = {}, {}, 0
while #found < 3 * most do
  local names = redis.call('ZREVRANGE', session, start, start + most - 1)
  if #names == 0 then break end
  start = start + #names
  for _, name in ipairs(names) do
    local key = prefix .. ':p:' .. name
    local record = redis.call('GET', key)
    if not record then
      table.insert(gone, name)
    elseif #found < 3 * most then
      table.insert(found, name)
      table.insert(found, record)
      table.insert(found, redis.call('PTTL', key))
    end
  end
end
for _, name in ipairs(gone) do
  forget(name)
  expired = expired + 1
end
return answer(false, found)
`);
