-- Add one entry to a ledger and replace the state, if nobody else was first.
-- KEYS: head, ledger, requests, states
-- ARGV: expected revision, entry, state, ttl in seconds, channel, request id or '', fingerprint, '1'
-- to keep the state for good
local head =
  redis.call('HMGET', KEYS[1], 'revision', 'request_id', 'request_fingerprint', 'seal_serial')
local revision = head[1]
if not revision then
  return {'missing'}
end

-- Before the revision: the retry of a success carries the old revision and is not stale.
if ARGV[6] ~= '' then
  if ARGV[6] == head[2] then
    return {'repeated', '0', head[3]}
  end
  local used = redis.call('HGET', KEYS[3], ARGV[6])
  if used then
    local space = string.find(used, ' ', 1, true)
    return {'repeated', string.sub(used, 1, space - 1), string.sub(used, space + 1)}
  end
end

if revision ~= ARGV[1] then
  return {'conflict', revision}
end
local length = redis.call('LLEN', KEYS[2])
if length ~= tonumber(revision) then
  return {'damaged', revision, tostring(length)}
end

-- A script that fails half-way is not rolled back. So the write that a full store or a key of
-- the wrong type can refuse comes first, and the revision changes last.
redis.call('RPUSH', KEYS[2], ARGV[2])
local next_revision = length + 1
if ARGV[6] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[6], next_revision .. ' ' .. ARGV[7])
end
if ARGV[8] == '1' then
  redis.call('HSET', KEYS[4], next_revision, ARGV[3])
end
redis.call('HSET', KEYS[1], 'revision', next_revision, 'state', ARGV[3])
if head[4] then
  -- What was sealed was sealed for the state that has just gone.
  local gone = {'seal_serial'}
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.sub(field, 1, 5) == 'seal:' then
      gone[#gone + 1] = field
    end
  end
  redis.call('HDEL', KEYS[1], unpack(gone))
end

-- The head first, so that it never outlives its ledger.
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('EXPIRE', KEYS[3], ARGV[4])
redis.call('EXPIRE', KEYS[4], ARGV[4])
-- Everything is written: a lost wake-up must not look like a failed append.
redis.pcall('PUBLISH', ARGV[5], next_revision)
return {'appended', next_revision}
